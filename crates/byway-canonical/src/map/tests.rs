use std::collections::BTreeMap;

use super::*;
use byway_llvm::Llvm;
use byway_llvm::inkwell::memory_buffer::MemoryBuffer;
use byway_map::Callee;

const CODE: &str = "
    define void @first() { ret void }
    @other = alias void (), ptr @first
    define void @main(i8 %value, i128 %wide, ptr %pointer) {
        switch i8 %value, label %default [ i8 7, label %seven i8 -1, label %last i8 8, label %seven ]
    seven:
        call void @other()
        call void @first()
        call void %pointer()
        ret void
    last:
        switch i128 %wide, label %default [ i128 1, label %default ]
    default:
        ret void
    }";

fn map() -> ProgramMap {
    map_of(CODE)
}

fn map_of(code: &str) -> ProgramMap {
    let llvm = Llvm::new();
    let text = MemoryBuffer::create_from_memory_range_copy(code.as_bytes(), "code");
    let module = llvm.context().create_module_from_ir(text).unwrap();
    MapBuilder::blocks(&module).finish(&module).unwrap()
}

#[test]
fn the_cases_of_a_switch_are_in_the_order_of_its_successors() {
    let map = map();
    assert_eq!(map.cases, BTreeMap::from([(SiteId::new(0), vec![7, 255, 8])]));
    let switch = &map[map.sites[0].block];
    let [seven, last, default] = [2, 3, 4].map(BlockId::new);
    assert_eq!(switch.successors, [default, seven, last, seven]);
}

#[test]
fn blocks_that_abort_fail_and_so_do_the_edges_to_them() {
    let fails = |code: &str| -> Vec<bool> { map_of(code).blocks.into_iter().map(|block| block.fails).collect() };
    let code = "
        declare void @abort() noreturn
        declare void @exit(i32) noreturn
        define void @main(i1 %a, i1 %b) {
            br i1 %a, label %edge, label %more
        edge:
            br label %abort
        more:
            br i1 %b, label %other, label %done
        other:
            br label %abort
        abort:
            call void @abort()
            unreachable
        done:
            call void @exit(i32 1)
            unreachable
        }";
    assert_eq!(fails(code), [false, true, false, true, true, false]);
    let own = "
        define void @abort() { ret void }
        define void @main() {
            call void @abort()
            unreachable
        }";
    assert_eq!(fails(own), [false, false]);
}

#[test]
fn a_block_knows_what_it_calls_by_any_name() {
    let map = map();
    let callees: Vec<Callee> = map.blocks[2].calls.iter().map(|call| call.callee).collect();
    let first = Callee::Function(FunctionId::new(0));
    assert!(matches!(callees[..], [a, b, Callee::Pointer(_)] if a == first && b == first));
    assert!(map.blocks.iter().enumerate().all(|(block, of)| block == 2 || of.calls.is_empty()));
}

const POINTERS: &str = "
    declare void @qsort(ptr, i64, i64, ptr)
    declare i32 @external(ptr)
    @table = constant [2 x ptr] [ptr @one, ptr @alias]
    @alias = alias i32 (ptr), ptr @two
    define i32 @one(ptr %a) { ret i32 1 }
    define i32 @two(ptr %a) { ret i32 2 }
    define i32 @called(ptr %a) { ret i32 3 }
    define i32 @other(ptr %a, i32 %b) { ret i32 4 }
    define i32 @compare(ptr %a, ptr %b) { ret i32 0 }
    define i32 @labels(ptr %a) {
        br label %here
    here:
        %address = icmp eq ptr %a, blockaddress(@labels, %here)
        ret i32 5
    }
    define void @main(ptr %f, ptr %g) {
        store ptr @other, ptr %g
        call i32 @called(ptr null)
        call i32 %f(ptr null)
        call i32 (ptr, ...) %f(ptr null)
        call i64 %f(ptr null)
        call void @qsort(ptr null, i64 0, i64 8, ptr @compare)
        ret void
    }";

#[test]
fn a_pointer_may_point_to_the_functions_of_its_type_whose_address_is_taken() {
    let map = map_of(POINTERS);
    let main = &map[map.functions.last().unwrap().first_block];
    let names = |functions: &[FunctionId]| -> Vec<String> { functions.iter().map(|&f| map[f].name.clone()).collect() };
    let callees: Vec<Vec<String>> = main.calls.iter().map(|call| names(map.callees(call))).collect();
    assert_eq!(callees[0], ["called"]);
    assert_eq!(callees[1], ["one", "two"]);
    assert_eq!(callees[2], ["one", "two", "other", "compare"]);
    assert_eq!((callees[3].len(), callees[4].len()), (0, 0));
    assert_eq!(names(&main.calls[4].callbacks), ["compare"]);
    assert_eq!(map.calls_of_externals(), BTreeMap::from([("external", 0), ("qsort", 1)]));
    assert_eq!(map.validate(), Ok(()));
}
