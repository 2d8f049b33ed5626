#define PTR "l"
#define KEEP(x) asm volatile("" : "+r"(x)::"memory")
__device__ unsigned f(unsigned* p, unsigned v) {
  unsigned r;
  asm volatile("{\n\t.reg .pred p; // a\n\t"
               "setp.ne.u32 p, %2, 0;\n\t@p ld.global.u32 %0, [%1+%3];\n\t@!p mov.u32 %0, %%laneid; }"
               : "=r"(r) : PTR(p), "r"(v), "n"(16) : "memory");
  asm(R"x(add%1 %0, %0, 1;)x" : "+r"(r) : "C"(".u32"));
#if __CUDA_ARCH__ >= 900
  asm("L%=: bra L%=; mov.b64 {%0, _}, %2;" : "=r"(r) : "0"(r), "l"(1ll));
#endif
  return r;
}
