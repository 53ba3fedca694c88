// What models of library functions are written with.
//
// A model NAME is the function byway_model_NAME, with the type of NAME. In the sym variant it takes the place of the
// library's NAME wherever the program uses it. It calls the library's function first, which does what it always does
// and decides what is returned; only then, and only if symbolic data is there, does it say what that means. Models are
// instrumented like the program: what they compute from symbolic bytes is symbolic, and their branches are events.
// None of the functions below changes errno or memory that the program can see.
#ifndef BYWAY_H
#define BYWAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

// Whether anything is symbolic in this run so far; 0 when nothing is traced. For models that have much to find out before they know.
int byway_anything(void);
// Whether any of the n bytes at p is symbolic. Fast; 0 when nothing is traced.
int byway_symbolic(const void *p, size_t n);
// Whether the value itself is symbolic.
int byway_labelled(uint64_t value);
// How many bytes there are from p to the end of its object; 0 if nobody knows, or nothing is traced.
size_t byway_left(const void *p);
// Whether the size of p's object depends on the input: then it may be longer in other runs.
int byway_grows(const void *p);
// Whether this is a run that somebody follows.
int byway_traced(void);
// condition ? then : otherwise, as one expression and not as a branch. condition is 0 or 1.
uint64_t byway_ite(_Bool condition, uint64_t then, uint64_t otherwise);
// Returns real. It means what model means, provided that both are the same number (else this is counted as a mismatch).
uint64_t byway_is(uint64_t real, uint64_t model);
// The byte at p, which is there already, means c (if it is the same number, else counted as a mismatch).
void byway_put(void *p, unsigned char c);
// The n bytes at to, which are there already, mean what those at from do; they may overlap.
void byway_copy(void *to, const void *from, size_t n);
// The n bytes at p each mean c.
void byway_fill(void *p, unsigned char c, size_t n);
// The n bytes at p mean nothing: they were written, and do not depend on the input.
void byway_clear(void *p, size_t n);
// n is a length of memory at p that the function reads, or writes. If n is symbolic, that is an event; n and p are then taken
// as they are. To be called before it does.
void byway_reads(const void *p, size_t n);
void byway_writes(void *p, size_t n);
// The same for two places and one length: n bytes are compared with those there.
void byway_compares(const void *a, const void *b, size_t n);
// n bytes are copied to another place, or filled with c, which may overlap. If n or an address is symbolic, that is an event, and
// what is there is what it would be for other lengths and places too; if there are too many of these, they are taken as they
// are. To be called before it is done, and
void byway_copies(void *to, const void *from, size_t n);
void byway_fills(void *p, unsigned char c, size_t n);
// after it was.
void byway_copied(void *to, const void *from, size_t n);
void byway_filled(void *p, unsigned char c, size_t n);
// The function reads, or writes, at most n bytes at p; how many it does is said later. If n is symbolic, that is an event, and
// nothing is taken as it is.
void byway_may_read(const void *p, size_t n);
void byway_may_write(void *p, size_t n);
// The function reads a string at s byte by byte until one ends it; in this run that is the last of `seen` bytes, and it reads
// no more than `most`. How many bytes are to be asked about: all up to the end of the object, if none of them is a NUL for sure
// and the one that ended it depends on the input; otherwise 0.
size_t byway_unended(const void *s, size_t seen, size_t most);
// Then for each of these bytes, the last one first, whether it ends the string; and when all were said: that one must.
void byway_may_end(_Bool here);
void byway_must_end(void);
// Whether a byte that depends on the input, or was computed from it, was a NUL so far: if none was, no string has such an end.
int byway_nuls(void);
// Which of n bytes at p is the first that is a NUL for sure; n if none is.
size_t byway_sure_nul(const void *p, size_t n);
// The value is taken as it is from here on: a concretization. Its other values are other paths.
void byway_taken(uint64_t value);
// The allocator is about to be asked for n bytes, or for the product of both, which it computes. If that is symbolic, it is an
// event.
void byway_asks(size_t n);
void byway_allocates(size_t count, size_t size);
// p is a new block of n bytes of the allocator (or NULL); its content means nothing.
void byway_allocated(void *p, size_t n);
// p goes back to the allocator. To be called before it does.
void byway_released(void *p);
// The n bytes at p are an object of the library, such as a table, that never changes.
void byway_table(const void *p, size_t n);
// The n bytes at p are a file mapped to memory, or that mapping ends.
void byway_mapped(void *p, size_t n, int fd, off_t offset);
void byway_unmapped(void *p, size_t n);
// Symbolic data was given to the function of that name, and its meaning is lost.
void byway_lost(const char *function);
// As byway_lost, if any of n bytes at p is symbolic. For functions whose meaning nobody models.
void byway_consumed(const char *function, const void *p, size_t n);
// A string is longer than the model looks at.
void byway_too_long(void);

// fd was opened with these flags of open(2); created says that the file was not there before.
void byway_opened(int fd, int flags, int created);
void byway_closed(int fd);
// to is another name of from.
void byway_duplicated(int from, int to);
// fd is about to be read from.
void byway_reading(int fd);
// n bytes were just read from fd to buffer, at its position before the read; or at offset.
void byway_read(int fd, void *buffer, size_t n);
void byway_read_at(int fd, void *buffer, size_t n, off_t offset);
// Bytes were, or will be, written to fd.
void byway_written(int fd);

// The name of a file in the directory of the run that a path might be, by number; NULL if there are not as many.
const char *byway_file_name(size_t number);

// What a program asks of who follows it. The n bytes at p become the next object of the input, of this name.
void byway_object(void *p, size_t n, const char *name);
// If the condition does not hold the run ends; if it does, nobody looks for an input for which it does not.
void byway_assume(uint64_t condition);
// The condition should hold in tests of this path, if it can.
void byway_prefer(uint64_t condition);
// Whether other sides of branches are looked for from here on.
void byway_fork(int enable);
// Both end the run at once.
void byway_silent_exit(int status);
void byway_report_error(const char *file, int line, const char *message, const char *suffix);

// Streams. What a stream has buffered is labelled in the buffer itself, so that inlined getc works.
// Before a library function reads from a stream: where in its input the stream is. Hand it to the functions below.
int64_t byway_stream_position(FILE *stream);
// After it: how many bytes the function took from the stream since position was asked for; negative if nobody knows.
int64_t byway_stream_progress(FILE *stream, int64_t position);
// Then: the function took n bytes from the stream; they are now at buffer (or nowhere, if NULL).
void byway_stream_took(FILE *stream, int64_t position, void *buffer, size_t n);
// The meaning of byte number i of those that were taken from position on, whose value is c.
unsigned char byway_stream_byte(FILE *stream, int64_t position, size_t i, unsigned char c);
// After it moved the stream to another place.
void byway_stream_moved(FILE *stream);

// What leaves the program. Whether anybody wants to know.
int byway_outputs(void);
// n bytes at p, and then `behind` others, were just written to fd; or n bytes at an offset.
void byway_wrote(int fd, const void *p, size_t n, size_t behind);
void byway_wrote_at(int fd, const void *p, size_t n, off_t offset);
// A library function is about to write to a stream (NULL: to flush all), or to close it; then: n bytes at p, and then `behind` others, were written.
void byway_stream_writes(FILE *stream);
void byway_stream_closes(FILE *stream);
void byway_stream_wrote(FILE *stream, const void *p, size_t n, size_t behind);
// The program is about to end with a status, with what its streams have buffered or without.
void byway_exits(int status);
void byway_leaves(int status);

// When the fork server began, in seconds since 1970: what time it is in all its runs. 0 if there is none.
int64_t byway_started(void);

// The program is about to become another (1), or it could not (0).
void byway_replacing(int now);

// The number alone, without its meaning. Nothing is said about the path: for bounds of loops over what is there.
uint64_t byway_concrete(uint64_t value);
// p, which went through byway_released, is a block again (the same one), of n bytes; what they mean stays.
void byway_resized(void *p, size_t n);

#endif
