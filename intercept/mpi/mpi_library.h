/* SPDX-License-Identifier: Apache-2.0
 *
 * The MPI library of the traced program: found when the program first calls it, never loaded by us.
 * What differs between MPI implementations (what handles are made of) is known here and nowhere else.
 *
 * All files here are compiled once for each implementation, against its <mpi.h>.  A program that calls another one than
 * the library was built for runs as if nothing were preloaded; it is told so in one line, and no call of it is
 * recorded.
 *
 * Context: the program's calls of MPI, its static constructors' included; not for handlers.  The first call of each
 * function is found as intercept/base/callee.h says; after that one load.
 */
#ifndef TND_MPI_LIBRARY_H
#define TND_MPI_LIBRARY_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Converts a Fortran handle to C, as TND_MPI_FROM_FORTRAN(Comm, 0), and back (Info only).  These are functions in Open
 * MPI, elsewhere macros of <mpi.h>. */
#ifdef OPEN_MPI
#define TND_MPI_LIBRARY_CONVERSIONS(X)                                                                                 \
    X(Comm_c2f)                                                                                                        \
    X(Comm_f2c)                                                                                                        \
    X(Errhandler_f2c)                                                                                                  \
    X(File_f2c)                                                                                                        \
    X(Group_f2c)                                                                                                       \
    X(Info_c2f)                                                                                                        \
    X(Info_f2c)                                                                                                        \
    X(Message_f2c)                                                                                                     \
    X(Op_f2c)                                                                                                          \
    X(Request_f2c)                                                                                                     \
    X(Status_f2c)                                                                                                      \
    X(Type_f2c)                                                                                                        \
    X(Win_f2c)
#define TND_MPI_FROM_FORTRAN(kind, handle) tnd_mpi_library.kind##_f2c(handle)
#define TND_MPI_TO_FORTRAN(kind, handle) tnd_mpi_library.kind##_c2f(handle)
#else
#define TND_MPI_LIBRARY_CONVERSIONS(X) X(Status_f2c)
#define TND_MPI_FROM_FORTRAN(kind, handle) MPI_##kind##_f2c(handle)
#define TND_MPI_TO_FORTRAN(kind, handle) MPI_##kind##_c2f(handle)
#endif

/* The functions of MPI that we call ourselves. */
#define TND_MPI_LIBRARY_CALLS(X)                                                                                       \
    TND_MPI_LIBRARY_CONVERSIONS(X)                                                                                     \
    X(Barrier)                                                                                                         \
    X(Bcast)                                                                                                           \
    X(Cartdim_get)                                                                                                     \
    X(Comm_free)                                                                                                       \
    X(Comm_get_attr)                                                                                                   \
    X(Comm_get_parent)                                                                                                 \
    X(Comm_group)                                                                                                      \
    X(Comm_rank)                                                                                                       \
    X(Comm_remote_group)                                                                                               \
    X(Comm_remote_size)                                                                                                \
    X(Comm_set_errhandler)                                                                                             \
    X(Comm_size)                                                                                                       \
    X(Comm_split)                                                                                                      \
    X(Comm_split_type)                                                                                                 \
    X(Comm_test_inter)                                                                                                 \
    X(Dist_graph_neighbors_count)                                                                                      \
    X(Get_elements_x)                                                                                                  \
    X(Graph_neighbors_count)                                                                                           \
    X(Group_free)                                                                                                      \
    X(Group_rank)                                                                                                      \
    X(Group_size)                                                                                                      \
    X(Group_translate_ranks)                                                                                           \
    X(Info_create)                                                                                                     \
    X(Info_dup)                                                                                                        \
    X(Info_free)                                                                                                       \
    X(Info_get)                                                                                                        \
    X(Info_set)                                                                                                        \
    X(Recv)                                                                                                            \
    X(Send)                                                                                                            \
    X(Test_cancelled)                                                                                                  \
    X(Topo_test)                                                                                                       \
    X(Type_get_envelope)                                                                                               \
    X(Type_size_x)

/* Predefined handles: in Open MPI the addresses of symbols of its library, so they too must be found. */
#define TND_MPI_LIBRARY_HANDLES(X)                                                                                     \
    X(MPI_Comm, comm_world, "ompi_mpi_comm_world", MPI_COMM_WORLD)                                                     \
    X(MPI_Comm, comm_self, "ompi_mpi_comm_self", MPI_COMM_SELF)                                                        \
    X(MPI_Comm, comm_null, "ompi_mpi_comm_null", MPI_COMM_NULL)                                                        \
    X(MPI_Datatype, byte, "ompi_mpi_byte", MPI_BYTE)                                                                   \
    X(MPI_Datatype, datatype_null, "ompi_mpi_datatype_null", MPI_DATATYPE_NULL)                                        \
    X(MPI_Errhandler, errors_return, "ompi_mpi_errors_return", MPI_ERRORS_RETURN)                                      \
    X(MPI_Info, info_null, "ompi_mpi_info_null", MPI_INFO_NULL)                                                        \
    X(MPI_Request, request_null, "ompi_request_null", MPI_REQUEST_NULL)                                                \
    X(MPI_Message, message_no_proc, "ompi_message_no_proc", MPI_MESSAGE_NO_PROC)

#define TND_MPI_LIBRARY_CALL_FIELD(call) __typeof__(PMPI_##call) *call;
#define TND_MPI_LIBRARY_HANDLE_FIELD(type, field, symbol, constant) type field;

/* Whether lines of the info key "env" are added to the environment of spawned processes. */
#ifdef OPEN_MPI
#define TND_MPI_LIBRARY_INFO_ENV 1
#else
#define TND_MPI_LIBRARY_INFO_ENV 0
#endif

/* It is filled before the first call of the program is passed on. */
struct tnd_mpi_library {
    TND_MPI_LIBRARY_CALLS(TND_MPI_LIBRARY_CALL_FIELD)
    TND_MPI_LIBRARY_HANDLES(TND_MPI_LIBRARY_HANDLE_FIELD)
};
extern struct tnd_mpi_library tnd_mpi_library __attribute__((visibility("hidden")));

/* Generated: names of the real calls, and their addresses once found. */
extern const char *const tnd_mpi_library_names[] __attribute__((visibility("hidden")));
extern void *tnd_mpi_library_calls[] __attribute__((visibility("hidden")));

/* The program's MPI is not the one of our <mpi.h>: its handles mean nothing here.  Known after the first call. */
extern bool tnd_mpi_library_is_foreign __attribute__((visibility("hidden")));

/* Whether that is not reported: one rank of a job does so.  Set at start. */
extern bool tnd_mpi_library_is_silent __attribute__((visibility("hidden")));

/* The slow half of tnd_mpi_library_get.  Keeps errno. */
void *tnd_mpi_library_find(unsigned number, void *caller);

/* The real call; NULL: this library does not have it. */
static inline void *tnd_mpi_library_get(unsigned number, void *caller)
{
    void *real = __atomic_load_n(&tnd_mpi_library_calls[number], __ATOMIC_ACQUIRE);
    return __builtin_expect(real != NULL, 1) ? real : tnd_mpi_library_find(number, caller);
}

/* Names of the library's file: where the program itself looked for calls, then the usual ones; the last one is NULL. */
extern const char *const *tnd_mpi_library_files __attribute__((visibility("hidden")));

/* The program looks for MPI's calls in a library that it has loaded.  Whether that is the MPI that is recorded, or will
 * be: the first one it calls, or looks into, and of the kind of our <mpi.h>; if it is not, and `is_told`, that is said.
 * The library is kept loaded. */
bool tnd_mpi_library_take(void *handle, bool is_told);

/* Fills tnd_mpi_library, unless it is filled, from the library in which a call was found; false: that is another
 * MPI. */
bool tnd_mpi_library_complete(void *library);

/* Whether a handle is a communicator, as far as that can be asked without an error handler being called: Open MPI
 * checks it when it converts it. */
static inline bool tnd_mpi_library_is_comm(MPI_Comm comm)
{
    if (!comm || comm == tnd_mpi_library.comm_null)
        return false;
#ifdef OPEN_MPI
    return tnd_mpi_library.Comm_c2f(comm) >= 0;
#else
    return true;
#endif
}

/* The size of a status's message, and whether it was cancelled.  In Open MPI both are fields of MPI_Status. */
static inline uint64_t tnd_mpi_library_status_bytes(const MPI_Status *status)
{
#ifdef OPEN_MPI
    return status->_ucount;
#else
    MPI_Count n = 0;
    tnd_mpi_library.Get_elements_x(status, tnd_mpi_library.byte, &n);
    return n > 0 ? (uint64_t)n : 0;
#endif
}

static inline bool tnd_mpi_library_status_cancelled(const MPI_Status *status)
{
#ifdef OPEN_MPI
    return status->_cancelled != 0;
#else
    int cancelled = 0;
    tnd_mpi_library.Test_cancelled(status, &cancelled);
    return cancelled != 0;
#endif
}

/* A handle as records have it, in 64 bits: an address, or in MPICH a number of 32 bits. */
#define TND_MPI_HANDLE(handle)                                                                                         \
    (sizeof(handle) == sizeof(uint32_t) ? (uint64_t)(uint32_t)(uintptr_t)(handle) : (uint64_t)(uintptr_t)(handle))

#endif
