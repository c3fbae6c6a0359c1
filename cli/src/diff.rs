//! `diff`.

use crate::args::Diff;
use crate::files::Text;
use crate::inspect::{route_name, sizes_name};
use crate::pages::print;
use crate::sites::{Call, Calls, Key};
use crate::symbols::Symbols;
use crate::text::{count, more, shown, size};
use crate::trouble::Trouble;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;

const NOTHING_COMPARED: &str = "nothing was compared";

/// A call in both models, or in one.
type Pair<'a> = (Option<&'a Call>, Option<&'a Call>);

pub fn diff(args: &Diff) -> Result<ExitCode, Trouble> {
    let texts = [&args.one, &args.other].map(|path| Text::read(path, NOTHING_COMPARED));
    let [one, other] = texts;
    let (one, other) = (one?, other?);
    let models = (one.model(NOTHING_COMPARED)?, other.model(NOTHING_COMPARED)?);
    let (one, other) = (Calls::of(&models.0), Calls::of(&models.1));
    let symbols = (
        Symbols::find(&one.modules, &args.symbols)?,
        Symbols::find(&other.modules, &args.symbols)?,
    );
    let mut pairs: BTreeMap<Key, Pair<'_>> = BTreeMap::new();
    for call in &one.calls {
        pairs.entry(one.key(call)).or_default().0 = Some(call);
    }
    for call in &other.calls {
        pairs.entry(other.key(call)).or_default().1 = Some(call);
    }
    let alone = pairs
        .values()
        .filter(|(one, other)| one.is_none() || other.is_none())
        .count();
    let route = |call: Option<&Call>| call.map(|call| call.route);
    let bytes = |&(one, other): &Pair<'_>| {
        let bytes = |call: Option<&Call>| call.map_or(0, |call| call.allocated);
        bytes(one).max(bytes(other))
    };
    let mut changed: Vec<Pair<'_>> = pairs.into_values().collect();
    changed.retain(|(one, other)| route(*one) != route(*other));
    changed.sort_by_key(|pair| Reverse(bytes(pair)));
    let mut text = String::new();
    for (name, model) in [("A", &models.0), ("B", &models.1)] {
        let summary = &model.summary;
        let _ = writeln!(
            text,
            "{name}  {}, {} allocated, {}, {}, {} held less by the estimate",
            count(summary.runs as usize, "run", "runs"),
            size(summary.clock),
            count(model.row_count(), "row", "rows"),
            count(model.nodes(), "route", "routes"),
            size(summary.saved),
        );
    }
    let same = changed.is_empty();
    let _ = writeln!(
        text,
        "{} with another route; {} only in one of the models",
        count(
            changed.len()
                - changed
                    .iter()
                    .filter(|(a, b)| a.is_none() || b.is_none())
                    .count(),
            "call",
            "calls"
        ),
        count(alone, "call is", "calls are"),
    );
    if !same {
        let _ = writeln!(
            text,
            "\n{:>9} {:>12}  {:10} {:10} call",
            "allocated", "bytes", "A", "B"
        );
    }
    let top = shown(args.top, changed.len());
    for pair in changed.iter().take(top) {
        let (call, symbols) = match *pair {
            (Some(call), _) => (call, &symbols.0),
            (None, Some(call)) => (call, &symbols.1),
            (None, None) => continue,
        };
        let name = |call: Option<&Call>| call.map_or("–".into(), |call| route_name(call.route));
        let _ = writeln!(
            text,
            "{:>9} {:>12}  {:10} {:10} {}",
            size(bytes(pair)),
            sizes_name((call.row.class, call.row.class)),
            name(pair.0),
            name(pair.1),
            symbols.path(call.places()),
        );
    }
    text += &more(changed.len(), top);
    print(text.as_bytes())?;
    Ok(if same {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
