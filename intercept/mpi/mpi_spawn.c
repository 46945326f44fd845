/* SPDX-License-Identifier: Apache-2.0
 *
 * Environment of spawned processes, keys of connections.  Context: mpi_spawn.h.
 *
 * Open MPI adds the lines of the info key "env" to the children's environment.  A value may have MPI_MAX_INFO_VAL
 * bytes: what does not fit is left out, the least important last.
 */
#include "intercept/mpi/mpi_spawn.h"

#include "formats/hash.h"
#include "intercept/mpi/mpi_library.h"
#include "intercept/mpi/mpi_world.h"
#include "runtime/config.h"
#include "runtime/image.h"
#include "runtime/root.h"
#include "runtime/run.h"
#include "runtime/target.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define VARIABLE "TANDEM_SPAWN"

static const char *preload = "";

uint64_t tnd_mpi_spawn_hash(const char *text, size_t n)
{
    size_t n_text = 0;
    while (n_text < n && text[n_text] && text[n_text] != ' ')
        n_text++;
    uint64_t hash = tnd_hash_add(TND_HASH_BEGIN, text, n_text);
    return hash ? hash : 1;
}

uint64_t tnd_mpi_spawn_start(void)
{
    const char *libraries = tnd_config_lookup("LD_PRELOAD"), *key = tnd_config_lookup(VARIABLE);
    preload = libraries ? strdup(libraries) : "";
    return key ? strtoull(key, NULL, 16) : 0;
}

static bool is_root(int root, MPI_Comm comm)
{
    int rank = -1;
    return tnd_mpi_library.Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

uint64_t tnd_mpi_spawn_port(const char *port, size_t n, int root, MPI_Comm comm)
{
    return is_root(root, comm) ? tnd_mpi_spawn_hash(port, n) : 0;
}

static bool write_address(const struct sockaddr_storage *address, char *text, size_t size)
{
    char host[INET6_ADDRSTRLEN];
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    bool is_four = address->ss_family == AF_INET;
    if (!is_four && address->ss_family != AF_INET6)
        return false;
    if (!inet_ntop(address->ss_family, is_four ? (const void *)&four->sin_addr : &six->sin6_addr, host, sizeof host))
        return false;
    return snprintf(text, size, "%s/%u;", host, ntohs(is_four ? four->sin_port : six->sin6_port)) > 0;
}

uint64_t tnd_mpi_spawn_socket(int fd)
{
    struct sockaddr_storage address;
    char ends[2][80], both[160];
    int saved_errno = errno, n = 0;
    for (int i = 0; i < 2; i++) {
        socklen_t size = sizeof address;
        int failed = i ? getpeername(fd, (struct sockaddr *)&address, &size)
                       : getsockname(fd, (struct sockaddr *)&address, &size);
        n += !failed && write_address(&address, ends[i], sizeof ends[i]);
    }
    errno = saved_errno;
    if (n < 2)
        return 0;
    int first = strcmp(ends[0], ends[1]) > 0;
    snprintf(both, sizeof both, "%s%s", ends[first], ends[!first]);
    return tnd_mpi_spawn_hash(both, sizeof both);
}

/* Adds a line `name=value` if there is room. */
static void add_line(char *lines, size_t size, const char *name, const char *value)
{
    size_t n = strlen(lines), more = strlen(name) + strlen(value) + 2;
    if (value[0] && n + more < size)
        snprintf(lines + n, size - n, "%s%s=%s", n ? "\n" : "", name, value);
    else if (value[0])
        tnd_run_note("spawned processes are not part of this run: its path is too long to pass on");
}

/* A copy of the info with the lines that children need. */
static MPI_Info extend(MPI_Info info, uint64_t key)
{
    MPI_Info made = tnd_mpi_library.info_null;
    char lines[MPI_MAX_INFO_VAL] = "", text[32];
    int known = 0;
    int result =
        info == tnd_mpi_library.info_null ? tnd_mpi_library.Info_create(&made) : tnd_mpi_library.Info_dup(info, &made);
    if (result != MPI_SUCCESS)
        return tnd_mpi_library.info_null;
    tnd_mpi_library.Info_get(made, "env", sizeof lines - 1, lines, &known);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)key);
    add_line(lines, sizeof lines, VARIABLE, text);
    add_line(lines, sizeof lines, "TANDEM_RUN", tnd_root_for_children());
    add_line(lines, sizeof lines, "LD_PRELOAD", preload);
    if (tnd_mpi_library.Info_set(made, "env", lines) == MPI_SUCCESS)
        return made;
    tnd_mpi_library.Info_free(&made);
    return tnd_mpi_library.info_null;
}

static void *room(int n, void *few, size_t size)
{
    return n == 1 ? few : tnd_target_pages((size_t)n * size);
}

static void let_go(int n, void *room, void *few, size_t size)
{
    if (room && room != few)
        tnd_target_pages_free(room, (size_t)n * size);
}

static void free_made(struct tnd_mpi_spawn *spawn)
{
    for (int i = 0; spawn->made && spawn->made_fortran && i < spawn->n; i++)
        if (spawn->made[i] != tnd_mpi_library.info_null)
            tnd_mpi_library.Info_free(&spawn->made[i]);
    let_go(spawn->n, spawn->made, &spawn->few, sizeof *spawn->made);
    let_go(spawn->n, spawn->made_fortran, &spawn->few_fortran, sizeof *spawn->made_fortran);
    spawn->made = NULL;
    spawn->made_fortran = NULL;
}

static void begin(struct tnd_mpi_spawn *spawn, int n, const MPI_Info infos[], const MPI_Fint fortran[], int root,
                  MPI_Comm comm)
{
    *spawn = (struct tnd_mpi_spawn){.n = n};
    if (!TND_MPI_LIBRARY_INFO_ENV || !tnd_image_is_here() || n < 1 || !is_root(root, comm))
        return;
    spawn->made = room(n, &spawn->few, sizeof *spawn->made);
    spawn->made_fortran = room(n, &spawn->few_fortran, sizeof *spawn->made_fortran);
    bool has_room = spawn->made && spawn->made_fortran;
    uint64_t key = tnd_target_random();
    int n_extended = 0;
    for (int i = 0; has_room && i < n; i++) {
        MPI_Info info = infos ? infos[i] : fortran ? TND_MPI_FROM_FORTRAN(Info, fortran[i]) : tnd_mpi_library.info_null;
        spawn->made[i] = extend(info, key);
        spawn->made_fortran[i] = TND_MPI_TO_FORTRAN(Info, spawn->made[i]);
        n_extended += spawn->made[i] != tnd_mpi_library.info_null;
    }
    if (n_extended == n)
        spawn->key = key;
    else /* either all of them or none */
        free_made(spawn);
}

void tnd_mpi_spawn_begin(struct tnd_mpi_spawn *spawn, int n, const MPI_Info infos[], int root, MPI_Comm comm)
{
    begin(spawn, n, infos, NULL, root, comm);
}

void tnd_mpi_spawn_begin_fortran(struct tnd_mpi_spawn *spawn, int n, const MPI_Fint infos[], int root, MPI_Comm comm)
{
    begin(spawn, n, NULL, infos, root, comm);
}

void tnd_mpi_spawn_end(struct tnd_mpi_spawn *spawn, MPI_Comm intercomm)
{
    if (spawn->key)
        tnd_mpi_world_link(intercomm, TND_LINK_SPAWN, spawn->key);
    free_made(spawn);
}
