// SPDX-License-Identifier: Apache-2.0
// Start-up of the firmware images for qemu's Arm boards: vector table, memory set-up, FPU, and a fault handler that ends the run.
#include <stdint.h>
#include <string.h>

#include "semihost.h"

extern uint32_t stack_top[], data_start[], data_end[], data_image[], bss_start[], bss_end[];
int main(void);
void reset(void);

static void fault(void) {
  semihost_write("fault\n");
  semihost_exit(99);
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    stack_top, (void *)(uintptr_t)reset, (void *)(uintptr_t)fault, (void *)(uintptr_t)fault,
    (void *)(uintptr_t)fault, (void *)(uintptr_t)fault, (void *)(uintptr_t)fault,
};

void reset(void) {
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
  *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20;  // CPACR: the FPU (and MVE), for everyone
  __asm volatile("dsb\n\tisb");
#endif
  memcpy(data_start, data_image, (size_t)((char *)data_end - (char *)data_start));
  memset(bss_start, 0, (size_t)((char *)bss_end - (char *)bss_start));
  semihost_exit(main());
}
