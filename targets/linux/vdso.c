/* SPDX-License-Identifier: Apache-2.0
 *
 * The vDSO: an ELF object that the kernel maps into each process, so that the time, for example, is read without a
 * system call.  It is no file, and another kernel has another one.
 *
 * Context: reads the process's memory only.
 */
#include "runtime/target.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

/* Where its parts are.  The addresses in its dynamic section are those of the object, not of the process. */
struct vdso {
    uint64_t bias;
    const ElfW(Sym) * symbols, *symbols_end;
    const char *names;
    size_t names_bytes;
};

static void read_dynamic(struct vdso *vdso, const ElfW(Dyn) * dynamic)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_SYMTAB)
            vdso->symbols = (const void *)(uintptr_t)(vdso->bias + dynamic->d_un.d_ptr);
        else if (dynamic->d_tag == DT_STRTAB)
            vdso->names = (const void *)(uintptr_t)(vdso->bias + dynamic->d_un.d_ptr);
        else if (dynamic->d_tag == DT_STRSZ)
            vdso->names_bytes = dynamic->d_un.d_val;
    }
    vdso->symbols_end = (const void *)vdso->names; /* the kernel's linker script puts one right after the other */
}

static bool find(struct vdso *vdso)
{
    uintptr_t base = getauxval(AT_SYSINFO_EHDR);
    if (!base)
        return false;
    const ElfW(Ehdr) *head = (const void *)base;
    const ElfW(Phdr) *parts = (const void *)(base + head->e_phoff), *dynamic = NULL;
    *vdso = (struct vdso){.bias = base};
    for (int i = 0; i < head->e_phnum; i++) {
        if (parts[i].p_type == PT_LOAD && parts[i].p_offset == 0)
            vdso->bias = base - parts[i].p_vaddr;
        else if (parts[i].p_type == PT_DYNAMIC)
            dynamic = &parts[i];
    }
    if (dynamic)
        read_dynamic(vdso, (const void *)(uintptr_t)(vdso->bias + dynamic->p_vaddr));
    return vdso->symbols && vdso->names && vdso->names_bytes && vdso->symbols < vdso->symbols_end;
}

void tnd_target_vdso(char *text, size_t size)
{
    struct vdso vdso;
    size_t length = 0;
    text[0] = 0;
    if (!find(&vdso))
        return;
    /* A function has two names, of which the weak one is also that of the C library's function that calls it. */
    for (const ElfW(Sym) *symbol = vdso.symbols; symbol < vdso.symbols_end; symbol++) {
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL ||
            symbol->st_shndx == SHN_UNDEF || symbol->st_name >= vdso.names_bytes)
            continue;
        int n =
            snprintf(text + length, size - length, "%llx %llx %s\n", (unsigned long long)(vdso.bias + symbol->st_value),
                     (unsigned long long)symbol->st_size, vdso.names + symbol->st_name);
        if (n < 0 || (size_t)n >= size - length)
            break;
        length += (size_t)n;
    }
    text[length] = 0;
}
