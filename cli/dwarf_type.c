/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types by their tags and attributes.
 */
#include "cli/dwarf_type.h"

#include <dwarf.h>
#include <string.h>

enum {
    MAX_DEPTH = 64 /* of types in types; a damaged file may have circles */,
    WORD = 8,
    MOST_IN_REGISTERS = 2 * WORD
};

static const TndCType other = {.kind = TND_C_OTHER};

TndDwarfLanguage tnd_dwarf_type_language(Dwarf_Die *unit)
{
    static const guint8 languages[][2] = {
        {DW_LANG_C, TND_DWARF_C},
        {DW_LANG_C89, TND_DWARF_C},
        {DW_LANG_C99, TND_DWARF_C},
        {DW_LANG_C11, TND_DWARF_C},
        {0x2c, TND_DWARF_C}, /* C17 */
        {DW_LANG_C_plus_plus, TND_DWARF_CXX},
        {DW_LANG_C_plus_plus_03, TND_DWARF_CXX},
        {DW_LANG_C_plus_plus_11, TND_DWARF_CXX},
        {DW_LANG_C_plus_plus_14, TND_DWARF_CXX},
        {0x2a, TND_DWARF_CXX}, /* C++17 */
        {0x2b, TND_DWARF_CXX}, /* C++20 */
        {DW_LANG_Fortran77, TND_DWARF_FORTRAN},
        {DW_LANG_Fortran90, TND_DWARF_FORTRAN},
        {DW_LANG_Fortran95, TND_DWARF_FORTRAN},
        {DW_LANG_Fortran03, TND_DWARF_FORTRAN},
        {DW_LANG_Fortran08, TND_DWARF_FORTRAN},
        {0x2d, TND_DWARF_FORTRAN}, /* Fortran 2018 */
    };
    int language = dwarf_srclang(unit);
    for (gsize i = 0; i < G_N_ELEMENTS(languages); i++)
        if (languages[i][0] == language)
            return languages[i][1];
    return TND_DWARF_OTHER;
}

/* The type that a die has, without typedefs and qualifiers; FALSE: none. */
static gboolean type_die(Dwarf_Die *die, Dwarf_Die *type, gboolean *is_const)
{
    Dwarf_Attribute attribute;
    *is_const = FALSE;
    for (int depth = 0; dwarf_attr_integrate(die, DW_AT_type, &attribute) && depth < MAX_DEPTH; depth++) {
        if (!dwarf_formref_die(&attribute, type))
            return FALSE;
        switch (dwarf_tag(type)) {
        case DW_TAG_const_type:
            *is_const = TRUE;
            break;
        case DW_TAG_typedef:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
            break;
        default:
            return TRUE;
        }
        die = type;
    }
    return FALSE;
}

static guint64 number_of(Dwarf_Die *die, unsigned name, guint64 otherwise)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    return dwarf_attr_integrate(die, name, &attribute) && dwarf_formudata(&attribute, &value) == 0 ? value : otherwise;
}

/* Of a base type, or of an enumeration by the one that it is kept as. */
static TndCType number_type(Dwarf_Die *type)
{
    Dwarf_Die kept;
    gboolean is_const;
    if (dwarf_tag(type) == DW_TAG_enumeration_type && type_die(type, &kept, &is_const) &&
        dwarf_tag(&kept) == DW_TAG_base_type)
        type = &kept;
    guint64 size = number_of(type, DW_AT_byte_size, 0), encoding = number_of(type, DW_AT_encoding, DW_ATE_unsigned);
    gboolean is_float = encoding == DW_ATE_float,
             is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    gboolean is_integer = is_signed || encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char ||
                          encoding == DW_ATE_boolean || encoding == DW_ATE_UTF;
    gboolean has_size = size == 8 || size == 4 || (is_integer && (size == 1 || size == 2));
    if (!has_size || (!is_integer && !is_float))
        return other;
    return (TndCType){.kind = is_float ? TND_C_FLOAT : TND_C_INTEGER, .size = (guint8)size, .is_signed = is_signed};
}

static TndCType pointer_to(const TndCType *type, gboolean is_const)
{
    return (TndCType){.kind = TND_C_POINTER,
                      .size = WORD,
                      .to = type->kind,
                      .to_size = type->size,
                      .to_signed = type->is_signed,
                      .to_const = is_const};
}

static TndCType pointer_type(Dwarf_Die *pointer)
{
    Dwarf_Die type;
    gboolean is_const, is_any = type_die(pointer, &type, &is_const);
    int tag = is_any ? dwarf_tag(&type) : 0;
    TndCType to = tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type ? number_type(&type) : other;
    return pointer_to(&to, is_const);
}

/* Notes what the words of a structure are passed in, by a part of it; FALSE: that is not known. */
static gboolean note_part(Dwarf_Die *type, guint64 offset, char words[static 2], int depth);

static gboolean note_member(Dwarf_Die *member, guint64 offset, char words[static 2], int depth)
{
    Dwarf_Die type;
    gboolean is_const;
    guint64 place = number_of(member, DW_AT_data_member_location, number_of(member, DW_AT_data_bit_offset, 0) / 8);
    return type_die(member, &type, &is_const) && note_part(&type, offset + place, words, depth + 1);
}

static gboolean note_members(Dwarf_Die *type, guint64 offset, char words[static 2], int depth)
{
    Dwarf_Die child;
    gboolean is_known = TRUE;
    for (int status = dwarf_child(type, &child); status == 0 && is_known; status = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        gboolean is_static = dwarf_hasattr(&child, DW_AT_external) || dwarf_hasattr(&child, DW_AT_declaration);
        if ((tag == DW_TAG_member && !is_static) || tag == DW_TAG_inheritance)
            is_known = note_member(&child, offset, words, depth);
    }
    return is_known;
}

static gboolean note_array(Dwarf_Die *array, guint64 offset, char words[static 2], int depth)
{
    Dwarf_Die type;
    gboolean is_const, is_known = !dwarf_hasattr(array, DW_AT_GNU_vector) && type_die(array, &type, &is_const);
    Dwarf_Word size = 0, each = 0;
    is_known = is_known && dwarf_aggregate_size(array, &size) == 0 && dwarf_aggregate_size(&type, &each) == 0 && each;
    for (guint64 at = 0; is_known && at + each <= size; at += each)
        is_known = note_part(&type, offset + at, words, depth + 1);
    return is_known;
}

static gboolean note_part(Dwarf_Die *type, guint64 offset, char words[static 2], int depth)
{
    if (depth > MAX_DEPTH || offset >= MOST_IN_REGISTERS)
        return FALSE;
    char *word = &words[offset / WORD];
    switch (dwarf_tag(type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return note_members(type, offset, words, depth);
    case DW_TAG_array_type:
        return note_array(type, offset, words, depth);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        *word = 'i';
        return offset % WORD == 0;
    case DW_TAG_base_type:
    case DW_TAG_enumeration_type:
        break;
    default:
        return FALSE;
    }
    TndCType number = number_type(type);
    if (number.kind == TND_C_FLOAT)
        *word = *word ? *word : 'x';
    else
        *word = 'i';
    return number.kind != TND_C_OTHER && offset % number.size == 0;
}

static gboolean is_copied(Dwarf_Die *type, int depth);

/* Whether a function of a class is a destructor, or a constructor that copies or moves, that the program has written.
 */
static gboolean is_special(Dwarf_Die *function, Dwarf_Die *type)
{
    Dwarf_Die child, to, target;
    gboolean is_const, is_copy = FALSE;
    const char *name = dwarf_diename(function), *class = dwarf_diename(type);
    if (!name || !class || dwarf_hasattr(function, DW_AT_artificial) || dwarf_hasattr(function, DW_AT_deleted) ||
        number_of(function, DW_AT_defaulted, DW_DEFAULTED_no) == DW_DEFAULTED_in_class)
        return FALSE;
    if (*name == '~')
        return TRUE;
    if (strncmp(name, class, strlen(name)) != 0 || (class[strlen(name)] != 0 && class[strlen(name)] != '<'))
        return FALSE;
    int number = 0;
    for (int status = dwarf_child(function, &child); status == 0; status = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter || number++ != 1)
            continue;
        int tag = type_die(&child, &to, &is_const) ? dwarf_tag(&to) : 0;
        is_copy = (tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) &&
                  type_die(&to, &target, &is_const) && dwarf_dieoffset(&target) == dwarf_dieoffset(type);
    }
    return is_copy;
}

/* Whether a part of a class lets it be copied byte by byte. */
static gboolean lets_copy(Dwarf_Die *part, Dwarf_Die *type, int depth)
{
    Dwarf_Die of;
    gboolean is_const;
    switch (dwarf_tag(part)) {
    case DW_TAG_subprogram:
        return !dwarf_hasattr(part, DW_AT_virtuality) && !is_special(part, type);
    case DW_TAG_inheritance:
    case DW_TAG_member:
        if (dwarf_hasattr(part, DW_AT_virtuality))
            return FALSE;
        while (type_die(part, &of, &is_const) && dwarf_tag(&of) == DW_TAG_array_type)
            part = &of;
        return dwarf_hasattr(part, DW_AT_external) || !dwarf_hasattr(part, DW_AT_type) || is_copied(&of, depth + 1);
    default:
        return TRUE;
    }
}

/* Whether an object of C++ may be copied byte by byte, so that it is passed by value. */
static gboolean is_copied(Dwarf_Die *type, int depth)
{
    Dwarf_Die child;
    int tag = dwarf_tag(type);
    gboolean is = depth < MAX_DEPTH;
    if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type && tag != DW_TAG_union_type)
        return is;
    for (int status = dwarf_child(type, &child); status == 0 && is; status = dwarf_siblingof(&child, &child))
        is = lets_copy(&child, type, depth);
    return is;
}

/* What cannot be copied byte by byte is in memory, and a pointer to it is passed. */
static TndCType structure_type(Dwarf_Die *type)
{
    Dwarf_Word size;
    if (dwarf_aggregate_size(type, &size) != 0 || !size || size > G_MAXUINT16)
        return other;
    guint64 convention = number_of(type, DW_AT_calling_convention, DW_CC_normal);
    if (convention == DW_CC_pass_by_reference || (convention == DW_CC_normal && !is_copied(type, 0)))
        return (TndCType){.kind = TND_C_STRUCTURE, .is_by_reference = TRUE};
    TndCType structure = {.kind = TND_C_STRUCTURE, .n_words = (guint16)((size + WORD - 1) / WORD)};
    if (size > MOST_IN_REGISTERS)
        return structure;
    char words[2] = "";
    if (!note_part(type, 0, words, 0) || !words[0] || (size > WORD && !words[1]))
        return other;
    memcpy(structure.words, words, sizeof words);
    return structure;
}

TndCType tnd_dwarf_type_of(Dwarf_Die *die)
{
    Dwarf_Die type;
    gboolean is_const;
    if (!dwarf_hasattr_integrate(die, DW_AT_type))
        return (TndCType){.kind = TND_C_VOID};
    if (!type_die(die, &type, &is_const)) /* void with a qualifier, or damaged */
        return other;
    switch (dwarf_tag(&type)) {
    case DW_TAG_base_type:
    case DW_TAG_enumeration_type:
        return number_type(&type);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return pointer_type(&type);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return structure_type(&type);
    default:
        return other;
    }
}

/* Whether the parameter itself is where it is said to be when the function begins: in a register, or in the frame; not
 * where a register or a word of the frame leads. */
static gboolean is_by_value(Dwarf_Die *parameter)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr base, start, end;
    Dwarf_Op *operations;
    size_t n = 0;
    if (!dwarf_attr_integrate(parameter, DW_AT_location, &attribute) ||
        (dwarf_getlocation(&attribute, &operations, &n) != 0 &&
         dwarf_getlocations(&attribute, 0, &base, &start, &end, &operations, &n) <= 0) ||
        n == 0)
        return FALSE;
    unsigned first = operations[0].atom;
    return (first >= DW_OP_reg0 && first <= DW_OP_reg31) || (first == DW_OP_fbreg && n == 1);
}

TndCType tnd_dwarf_type_of_fortran(Dwarf_Die *parameter)
{
    TndCType type = tnd_dwarf_type_of(parameter);
    return type.kind == TND_C_POINTER || is_by_value(parameter) ? type : pointer_to(&type, FALSE);
}
