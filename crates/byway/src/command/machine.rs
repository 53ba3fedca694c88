//! What this machine offers.

use std::path::Path;
use std::process::{Command, Stdio};

use byway_variant::{CLANG, llvm_version};
use serde::Serialize;

/// What this machine offers; each is a description, or what is wrong and what to do.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// The compiler that builds variants.
    pub clang: Offer,
    /// The LLVM that reads and rewrites bitcode.
    pub llvm: Offer,
    /// The sanitizers' runtime libraries.
    pub sanitizers: Offer,
    /// User, mount, network and process namespaces: without them nothing is confined.
    pub namespaces: Offer,
    /// Directories that are seen through, not copied.
    pub overlays: Offer,
    /// The kernel's Landlock, a second wall.
    pub landlock: Offer,
    /// How the memory of confined programs is limited.
    pub memory: Offer,
    /// An SMT solver.
    pub solver: Offer,
}

/// Something this machine has or lacks.
#[derive(Debug, Serialize)]
pub struct Offer {
    /// Whether it is there.
    pub available: bool,
    /// What it is, or what is wrong.
    pub detail: String,
}

impl Offer {
    fn yes(detail: impl Into<String>) -> Offer {
        Offer { available: true, detail: detail.into() }
    }

    fn no(detail: impl Into<String>) -> Offer {
        Offer { available: false, detail: detail.into() }
    }
}

impl Machine {
    /// Looks at the machine.
    pub fn examine() -> Machine {
        let offers = byway_confine::available();
        let confinement = |wanted: &str| {
            let offer = offers.iter().find(|(name, _)| *name == wanted).map(|(_, offer)| offer.clone());
            offer.unwrap_or_else(|| Err("nobody has looked".to_owned())).map_or_else(Offer::no, Offer::yes)
        };
        let install_clang = "install the Debian package clang-19";
        Machine {
            clang: version(CLANG, &["--version"]).map_or_else(|| Offer::no(install_clang), Offer::yes),
            llvm: llvm_version().map_or_else(|error| Offer::no(error.to_string()), Offer::yes),
            sanitizers: sanitizers(),
            namespaces: confinement("namespaces"),
            overlays: confinement("overlays"),
            landlock: confinement("Landlock"),
            memory: confinement("memory"),
            solver: version("z3", &["--version"]).map_or_else(
                || {
                    Offer::no(
                        "install the Debian package z3: what byway's own solver gives up on stays unknown without it",
                    )
                },
                Offer::yes,
            ),
        }
    }

    /// Everything with its name.
    pub fn offers(&self) -> [(&'static str, &Offer); 8] {
        [
            ("clang", &self.clang),
            ("LLVM", &self.llvm),
            ("sanitizers", &self.sanitizers),
            ("namespaces", &self.namespaces),
            ("overlays", &self.overlays),
            ("Landlock", &self.landlock),
            ("memory", &self.memory),
            ("solver", &self.solver),
        ]
    }
}

/// The first line a program prints.
fn version(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

/// The runtime is in one of two places, depending on how LLVM was built.
fn sanitizers() -> Offer {
    let runtime = version(CLANG, &["-print-runtime-dir"]).map(|directory| format!("{directory}/libclang_rt.asan.a"));
    let architecture = std::env::consts::ARCH;
    let named = version(CLANG, &["-print-resource-dir"])
        .map(|directory| format!("{directory}/lib/linux/libclang_rt.asan-{architecture}.a"));
    match [runtime, named].into_iter().flatten().find(|path| Path::new(path).is_file()) {
        Some(path) => Offer::yes(path),
        None => Offer::no("install the Debian package libclang-rt-19-dev"),
    }
}
