//! Compiles the C++ operators into the crate when the C names are exported.

const SOURCES: [&str; 2] = ["src/abi/operators.cpp", "src/abi/hints.cpp"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    // A Rust program that only wants a GlobalAlloc needs no C++ compiler.
    if std::env::var_os("CARGO_FEATURE_C_ABI").is_none() {
        return;
    }
    cc::Build::new()
        .files(SOURCES)
        .cpp(true)
        .std("c++17")
        // The C++ runtime is used where the process has one and never brought in.
        .cpp_link_stdlib(None)
        .pic(true)
        .debug(false)
        .opt_level(2)
        .flag("-fexceptions")
        .flag_if_supported("-fno-rtti")
        // A program that replaces one operator must be called by the others.
        .flag_if_supported("-fsemantic-interposition")
        // The derived forms leave no frame, so that the caller stays the site.
        .flag_if_supported("-foptimize-sibling-calls")
        .flag_if_supported("-fno-plt")
        // The plain delete is in Rust.
        .flag_if_supported("-Wno-sized-deallocation")
        .warnings(true)
        .extra_warnings(true)
        .warnings_into_errors(std::env::var_os("CI").is_some())
        .compile("lohalloc_operators");
}
