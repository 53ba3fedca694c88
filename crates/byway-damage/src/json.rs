//! Changes of JSON that leave it JSON, so that what is behind the parser is reached.

use rand::Rng;
use serde_json::{Map, Number, Value, json};

use crate::{Random, change_bytes};

/// Changes one to three values of a document.
pub fn change_json(random: &mut Random, document: &mut Value) {
    for _ in 0..random.random_range(1..=3) {
        let count = count(document);
        let number = random.random_range(0..count);
        let donor = value_at(document, random.random_range(0..count)).cloned().unwrap_or_default();
        if let Some(value) = value_at_mut(document, number) {
            change(random, value, donor);
        }
    }
}

/// Changes a text that is a document, or lines of documents: its values, or else its bytes.
pub fn change_text(random: &mut Random, text: &mut Vec<u8>, other: &[u8]) {
    if random.random_range(0..3) == 0 {
        return change_bytes(random, text, other);
    }
    if let Ok(mut document) = serde_json::from_slice::<Value>(text) {
        change_json(random, &mut document);
        return *text = document.to_string().into_bytes();
    }
    let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let at = random.random_range(0..lines.len());
    match serde_json::from_slice::<Value>(&lines[at]) {
        Ok(mut document) => {
            change_json(random, &mut document);
            lines[at] = document.to_string().into_bytes();
        }
        Err(_) => lines.swap(0, at),
    }
    *text = lines.join(&b'\n');
}

/// How many values a document has, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

fn value_at(value: &Value, mut number: usize) -> Option<&Value> {
    if number == 0 {
        return Some(value);
    }
    number -= 1;
    let parts: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    for part in parts {
        match count(part) {
            size if number < size => return value_at(part, number),
            size => number -= size,
        }
    }
    None
}

fn value_at_mut(value: &mut Value, mut number: usize) -> Option<&mut Value> {
    if number == 0 {
        return Some(value);
    }
    number -= 1;
    let parts: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(members) => members.values_mut().collect(),
        _ => Vec::new(),
    };
    for part in parts {
        match count(part) {
            size if number < size => return value_at_mut(part, number),
            size => number -= size,
        }
    }
    None
}

fn change(random: &mut Random, value: &mut Value, donor: Value) {
    match random.random_range(0..4) {
        0 => *value = donor,
        1 => *value = odd(random),
        _ => match value {
            Value::Array(items) => change_items(random, items),
            Value::Object(members) => change_members(random, members, donor),
            Value::Number(number) => *number = odd_number(random),
            Value::String(text) => *text = odd_text(random, text),
            Value::Bool(flag) => *flag = !*flag,
            Value::Null => *value = donor,
        },
    }
}

fn change_items(random: &mut Random, items: &mut Vec<Value>) {
    if items.is_empty() {
        return items.push(odd(random));
    }
    let at = random.random_range(0..items.len());
    match random.random_range(0..3) {
        0 => drop(items.remove(at)),
        1 => {
            let again = items[at].clone();
            (0..random.random_range(1..40)).for_each(|_| items.push(again.clone()));
        }
        _ => items.swap(0, at),
    }
}

fn change_members(random: &mut Random, members: &mut Map<String, Value>, donor: Value) {
    let names: Vec<String> = members.keys().cloned().collect();
    if names.is_empty() {
        return drop(members.insert("odd".to_owned(), donor));
    }
    let name = &names[random.random_range(0..names.len())];
    match random.random_range(0..3) {
        0 => drop(members.remove(name)),
        1 => drop(members.insert(name.clone(), donor)),
        _ => {
            let value = members.remove(name).unwrap_or_default();
            members.insert(odd_text(random, name), value);
        }
    }
}

fn odd(random: &mut Random) -> Value {
    match random.random_range(0..6) {
        0 => Value::Null,
        1 => Value::Number(odd_number(random)),
        2 => Value::String(odd_text(random, "odd")),
        3 => json!([]),
        4 => json!({}),
        // As deep as a careless reader does not survive.
        _ => (0..random.random_range(1..300)).fold(json!(0), |inner, _| json!([inner])),
    }
}

fn odd_number(random: &mut Random) -> Number {
    let extremes = [0, 1, -1, 255, 65536, i64::from(i32::MAX), i64::from(u32::MAX), 1 << 32, i64::MAX, i64::MIN];
    match random.random_range(0..4) {
        0 => Number::from(u64::MAX),
        1 => Number::from_f64([0.5, -1e-300, 1e308, -1e308, 1e20][random.random_range(0..5)]).unwrap_or(0.into()),
        _ => extremes[random.random_range(0..extremes.len())].into(),
    }
}

fn odd_text(random: &mut Random, text: &str) -> String {
    match random.random_range(0..8) {
        0 => String::new(),
        1 => "/".to_owned(),
        2 => "../../../..".to_owned(),
        3 => "\0\u{fffd}\u{10ffff}".to_owned(),
        4 => text.repeat(random.random_range(2..20)),
        5 => text.chars().rev().collect(),
        6 => text.chars().skip(random.random_range(0..4)).collect(),
        _ => format!("{text}{}", odd_number(random)),
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn every_value_of_a_document_is_reached() {
        let document = json!({"a": [1, 2, {"b": "c"}], "d": null});
        let all: Vec<Value> =
            (0..count(&document)).map(|number| value_at(&document, number).unwrap().clone()).collect();
        assert_eq!(all.len(), 7);
        assert!(all.contains(&json!("c")) && all.contains(&json!(null)) && value_at(&document, 7).is_none());
    }

    #[test]
    fn nearly_every_change_changes_something() {
        let mut random = Random::seed_from_u64(1);
        let document = json!({"a": [1, 2, {"b": "c"}], "d": null});
        let mut changed = |_: &i32| {
            let mut copy = document.clone();
            change_json(&mut random, &mut copy);
            copy != document
        };
        assert!((0..1000).filter(|number| changed(number)).count() > 900);
    }
}
