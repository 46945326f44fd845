/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads a plugin that links the wrapped library, as nobody else does, and calls it: argv[1] is the plugin, by a path.
 */
#include <dlfcn.h>
#include <stdio.h>

#if defined(PLUGIN)
#include "wrapped.h"
int run_plugin(int n);
int run_plugin(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += w_add(i, 1);
    return sum;
}
#else
int main(int argc, char **argv)
{
    for (int i = 0; i < 3; i++) {
        void *plugin = dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL);
        int (*run)(int) = plugin ? (int (*)(int))dlsym(plugin, "run_plugin") : NULL;
        if (!run)
            return 1;
        printf("%d\n", run(100));
        dlclose(plugin);
    }
    return 0;
}
#endif
