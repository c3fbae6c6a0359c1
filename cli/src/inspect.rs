//! `inspect`.

use crate::args::Inspect;
use crate::files::Text;
use crate::pages::print;
use crate::sites::{Call, Calls, Group};
use crate::symbols::{Symbols, hex};
use crate::text::{bars, count, more, percent, shown, size};
use crate::trouble::Trouble;
use lohalloc::tools::{AGES, Identity, Model, Route, age_from, sizes_of};
use serde::Serialize;
use std::fmt::Write;
use std::process::ExitCode;

const NOTHING_SHOWN: &str = "nothing was shown";

pub fn inspect(args: &Inspect) -> Result<ExitCode, Trouble> {
    let text = Text::read(&args.model, NOTHING_SHOWN)?;
    let model = text.model(NOTHING_SHOWN)?;
    let calls = Calls::of(&model);
    let symbols = Symbols::find(&calls.modules, &args.symbols)?;
    let shown = match args.json {
        true => json(&model, &calls, &symbols),
        false => table(args, &model, &calls, &symbols),
    };
    print(shown.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// In a word or two, where blocks go.
pub fn route_name(route: Route) -> String {
    match route {
        Route::Lane(lane) => format!("lane {lane}"),
        Route::Default => "default".into(),
        Route::NothingToSave => "no saving".into(),
        Route::Large => "large".into(),
    }
}

/// The route that most bytes take, and whether there are others.
fn routes_name(group: &Group) -> String {
    let most = group.routes.iter().max_by_key(|(_, bytes)| **bytes);
    let name = most.map_or(String::new(), |(route, _)| route_name(*route));
    match group.routes.len() {
        0 | 1 => name,
        others => format!("{name} +{}", others - 1),
    }
}

/// The requests of a range of size classes.
pub fn sizes_name(classes: (u32, u32)) -> String {
    let (from, to) = (
        sizes_of(classes.0 as usize).0,
        sizes_of(classes.1 as usize).1,
    );
    format!("{}–{}", short(from), short(to))
}

/// A size with one letter, rounded.
fn short(bytes: u64) -> String {
    match bytes {
        0..10_000 => bytes.to_string(),
        10_000..10_240_000 => format!("{}K", bytes >> 10),
        _ => format!("{}M", bytes >> 20),
    }
}

fn summary(model: &Model<'_>, calls: &Calls) -> String {
    let summary = &model.summary;
    let sites = calls.sites().len();
    let classes: u32 = summary.routed.iter().map(|word| word.count_ones()).sum();
    format!(
        "evidence   {}, {} allocated, a sample every {}; {} at {} in {}\n\
         decisions  {}; blocks of {} sorted; {} held less on the average, by the estimate\n",
        count(summary.runs as usize, "run", "runs"),
        size(summary.clock),
        size(summary.mean),
        count(model.row_count(), "row", "rows"),
        count(sites, "site", "sites"),
        count(calls.modules.len(), "module", "modules"),
        count(model.nodes(), "route", "routes"),
        count(classes as usize, "size class", "size classes"),
        size(summary.saved),
    )
}

fn table(args: &Inspect, model: &Model<'_>, calls: &Calls, symbols: &Symbols) -> String {
    let groups = match args.contexts {
        true => calls.contexts(),
        false => calls.sites(),
    };
    let top = shown(args.top, groups.len());
    let mut text = summary(model, calls);
    let _ = writeln!(
        text,
        "\n{:>9} {:>7} {:>12}  {:AGES$} {:>6} {:>6}  {:12} call",
        "allocated", "samples", "bytes", "lifetimes", "in use", "remote", "route"
    );
    for group in groups.iter().take(top) {
        let _ = writeln!(
            text,
            "{:>9} {:>7} {:>12}  {} {:>5}% {:>5}%  {:12} {}",
            size(group.allocated),
            group.samples,
            group.classes.map_or(String::new(), sizes_name),
            bars(&group.ages),
            percent(group.alive, group.samples),
            percent(group.remote, group.samples),
            routes_name(group),
            symbols.path(&group.places),
        );
    }
    text + &more(groups.len(), top) + LEGEND
}

const LEGEND: &str = "
lifetimes  less than 8 KiB allocated by the process meanwhile, then each twice the one before, to 32 GiB and more
in use     blocks that were never freed; their lifetime is their age at the end
remote     blocks that one thread had and another freed
route      lane N: to pages of its own kind · default: with most others · no saving: sorting this size would save
           nothing · large: has pages of its own anyway · +N: contexts or sizes of this site with another route
";

#[derive(Serialize)]
struct Whole {
    runs: u32,
    allocated_bytes: u64,
    sample_bytes: u64,
    predicted_saving_bytes: u64,
    routes: usize,
    /// Where each class of lifetimes begins, in bytes allocated meanwhile.
    lifetimes_from_bytes: [u64; AGES],
    modules: Vec<Module>,
    calls: Vec<JsonCall>,
}

#[derive(Serialize)]
struct Module {
    kind: &'static str,
    id: String,
    file: Option<String>,
}

#[derive(Serialize)]
struct JsonPlace {
    module: usize,
    offset: u64,
    name: String,
}

#[derive(Serialize)]
struct JsonCall {
    path: Vec<JsonPlace>,
    smallest_bytes: u64,
    largest_bytes: u64,
    allocated_bytes: u64,
    samples: u64,
    sampled_bytes: u64,
    died: [u32; AGES],
    in_use: [u32; AGES],
    freed_by_another_thread: u32,
    grown: u32,
    most_in_use: u32,
    lane: u8,
    why_not_routed: Option<&'static str>,
}

fn json(model: &Model<'_>, calls: &Calls, symbols: &Symbols) -> String {
    let module = |(number, module): (usize, &Identity)| Module {
        kind: if module.build_id { "build-id" } else { "code" },
        id: hex(module),
        file: symbols.file(number).map(str::to_owned),
    };
    let whole = Whole {
        runs: model.summary.runs,
        allocated_bytes: model.summary.clock,
        sample_bytes: model.summary.mean,
        predicted_saving_bytes: model.summary.saved,
        routes: model.nodes(),
        lifetimes_from_bytes: std::array::from_fn(age_from),
        modules: calls.modules.iter().enumerate().map(module).collect(),
        calls: calls
            .calls
            .iter()
            .map(|call| json_call(call, symbols))
            .collect(),
    };
    serde_json::to_string_pretty(&whole).expect("numbers and strings") + "\n"
}

fn json_call(call: &Call, symbols: &Symbols) -> JsonCall {
    let row = &call.row;
    let (smallest_bytes, largest_bytes) = sizes_of(row.class as usize);
    let (lane, why_not_routed) = match call.route {
        Route::Lane(lane) => (lane, None),
        Route::Default => (0, Some("default")),
        Route::NothingToSave => (0, Some("nothing to save")),
        Route::Large => (0, Some("large")),
    };
    let place = |place: &lohalloc::tools::Place| JsonPlace {
        module: place.module(),
        offset: place.offset(),
        name: symbols.name(*place),
    };
    JsonCall {
        path: call.places().iter().map(place).collect(),
        smallest_bytes,
        largest_bytes,
        allocated_bytes: call.allocated,
        samples: row.samples,
        sampled_bytes: row.bytes,
        died: row.died,
        in_use: row.alive,
        freed_by_another_thread: row.remote,
        grown: row.grown,
        most_in_use: row.peak,
        lane,
        why_not_routed,
    }
}
