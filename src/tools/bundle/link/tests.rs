//! Each kind of relocation, and what is unknown, on objects made by hand.

use super::super::elf::{Relocation, Symbol};
use super::*;

/// A read-only section with these bytes and relocations.
fn constant(name: &str, bytes: &[u8], relocations: Vec<Relocation>) -> Section {
    Section {
        name: name.into(),
        allocated: true,
        bytes: bytes.to_vec(),
        has_contents: true,
        align: 1,
        relocations,
        ..Section::default()
    }
}

fn code(bytes: &[u8], relocations: Vec<Relocation>) -> Section {
    Section {
        code: true,
        ..constant(".text", bytes, relocations)
    }
}

fn relocation(offset: u64, kind: u32, symbol: usize, addend: i64) -> Relocation {
    Relocation {
        offset,
        kind,
        symbol,
        addend,
    }
}

/// An object whose symbol 0 is the entry in section 1, symbol 1 stands for `at`, and symbol 2 is `read`.
fn object(sections: Vec<Section>, at: Place) -> Object {
    let symbol = |name: &str, place| Symbol {
        name: name.into(),
        place,
    };
    let mut object = Object {
        sections: vec![Section::default()],
        symbols: vec![
            symbol("entry", Place::In(1, 0)),
            symbol("other", at),
            symbol("read", Place::Undefined),
        ],
    };
    object.sections.extend(sections);
    object
}

fn linked(object: &Object) -> Program {
    link(object, "entry", &["read"], &[]).unwrap()
}

#[test]
fn distances_inside_the_code_are_filled_in() {
    for kind in [kind::PC32, kind::PLT32] {
        let text = code(&[0xe8, 0, 0, 0, 0, 0xc3], vec![relocation(1, kind, 1, -4)]);
        let program = linked(&object(
            vec![text, constant(".rodata", &[1, 2], vec![])],
            Place::In(2, 1),
        ));
        // The constant is at 6, its second byte at 7; the next instruction is at 5.
        assert_eq!(program.code, [0xe8, 2, 0, 0, 0, 0xc3, 1, 2]);
        assert!(program.code_open.is_empty());
    }
}

#[test]
fn loads_from_slots_become_plain_ones() {
    let target = || constant(".rodata", &[7], vec![]);
    let relax = |bytes: &[u8], at| {
        let text = code(bytes, vec![relocation(at, kind::REX_GOTPCRELX, 1, -4)]);
        linked(&object(vec![text, target()], Place::In(2, 0))).code
    };
    assert_eq!(
        relax(&[0x48, 0x8b, 0x05, 0, 0, 0, 0], 3),
        [0x48, 0x8d, 0x05, 0, 0, 0, 0, 7]
    );
    assert_eq!(
        relax(&[0xff, 0x15, 0, 0, 0, 0], 2),
        [0x67, 0xe8, 0, 0, 0, 0, 7]
    );
    assert_eq!(
        relax(&[0xff, 0x25, 0, 0, 0, 0], 2),
        [0xe9, 1, 0, 0, 0, 0x90, 7]
    );
}

#[test]
fn other_instructions_keep_a_slot() {
    // cmp slot(%rip), %rax
    let text = code(
        &[0x48, 0x3b, 0x05, 0, 0, 0, 0],
        vec![relocation(3, kind::REX_GOTPCRELX, 1, -4)],
    );
    let program = linked(&object(
        vec![text, constant(".rodata", &[7], vec![])],
        Place::In(2, 0),
    ));
    assert_eq!(program.data_open.len(), 1);
    let (open, slot) = (program.code_open[0], program.data_open[0]);
    assert_eq!(open.target.offset, slot.offset as i64 - 4);
    assert_eq!((slot.target.block, slot.target.offset), (Block::Code, 7));
}

#[test]
fn pointers_and_other_blocks_stay_open() {
    let text = code(&[0; 4], vec![relocation(0, kind::PC32, 1, -4)]);
    let table = constant(
        ".data.rel.ro",
        &[0; 16],
        vec![relocation(8, kind::ABSOLUTE, 0, 2)],
    );
    let program = linked(&object(vec![text, table], Place::In(2, 8)));
    assert_eq!(program.code_open[0].offset, 0);
    assert_eq!(
        program.code_open[0].target,
        Address {
            block: Block::Data,
            offset: 4
        }
    );
    assert_eq!(program.data_open[0].offset, 8);
    assert_eq!(
        program.data_open[0].target,
        Address {
            block: Block::Code,
            offset: 2
        }
    );
}

#[test]
fn imports_are_called_through_slots() {
    let text = code(&[0xe8, 0, 0, 0, 0], vec![relocation(1, kind::PLT32, 2, -4)]);
    let program = linked(&object(vec![text], Place::Undefined));
    assert_eq!(program.imports, ["read"]);
    // The call goes to a jump at 8, which goes through the first slot.
    assert_eq!(program.code[..5], [0xe8, 3, 0, 0, 0]);
    assert_eq!(program.code[8..10], [0xff, 0x25]);
    assert_eq!(program.code_open[0].offset, 10);
    assert_eq!(
        program.code_open[0].target.offset,
        program.imports_at as i64 - 4
    );
}

#[test]
fn files_are_taken_out_and_only_what_is_reached_stays() {
    let big: Vec<u8> = (0..5_000u32).map(|i| i as u8).collect();
    let text = code(&[0; 4], vec![relocation(0, kind::PC32, 1, -4)]);
    let sections = vec![
        text,
        constant(".rodata", &big, vec![]),
        constant(".rodata.unused", &[9; 50], vec![]),
    ];
    let object = object(sections, Place::In(2, 0));
    let program = link(&object, "entry", &[], &[vec![1; 9_000], big]).unwrap();
    assert_eq!(program.files, [(1, 0)]);
    assert_eq!(program.zeros, 5_000);
    assert_eq!(program.code.len(), 4);
    assert_eq!(program.code_open[0].target.block, Block::Zeros);
}

#[test]
fn the_unknown_stops_it_by_name() {
    let failure = |relocation: Relocation, place| {
        let text = code(&[0; 8], vec![relocation]);
        link(&object(vec![text], place), "entry", &["write"], &[])
            .unwrap_err()
            .0
    };
    let unknown = failure(relocation(0, kind::PLT32, 2, -4), Place::Undefined);
    assert_eq!(unknown, "unknown symbol 'read'");
    let unknown = failure(relocation(0, 19, 0, 0), Place::Undefined);
    assert_eq!(unknown, "unknown relocation kind 19 to 'entry'");
    let unknown = failure(relocation(0, kind::PC32, 1, 0), Place::Other(0xfff1));
    assert!(unknown.contains("'other'"), "{unknown}");
    let outside = failure(relocation(6, kind::PC32, 0, 0), Place::Undefined);
    assert!(outside.contains("outside"), "{outside}");
    assert!(link(&Object::default(), "entry", &[], &[]).is_err());
}
