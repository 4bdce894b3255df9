#pragma once
/// Objects in shared memory. On GPUs an object is cut into words of up to 16 bytes and equal words of neighbouring
/// threads lie side by side, [word][position], so that a warp's accesses meet no bank conflict; on the CPU objects are
/// whole, and copied by type: if only a part of a large one is used, only that part is loaded.

#include "device/kernel_ops.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <bool first, class A, class B> struct Choice {
  using type = A;
};
template <class A, class B> struct Choice<false, A, B> {
  using type = B;
};
template <bool first, class A, class B> using choose = typename Choice<first, A, B>::type;

struct alignas(16) Word16 {
  unsigned u[4];
};
struct alignas(8) Word8 {
  unsigned u[2];
};
struct alignas(4) Word4 {
  unsigned u[1];
};

template <class T> using word_of = choose<sizeof(T) % 16 == 0, Word16, choose<sizeof(T) % 8 == 0, Word8, Word4>>;

/// value -> position of `count` objects from `base`.
template <class T> QUDA_DEVICE void shared_store(char *base, int count, int position, const T &value)
{
  if constexpr (block_is_thread) {
    reinterpret_cast<T *>(base)[position] = value;
  } else {
    using Word = word_of<T>;
    static_assert(sizeof(T) % sizeof(Word) == 0, "objects in shared memory are made of 4-byte words");
    constexpr int n = sizeof(T) / sizeof(Word);
    QUDA_UNROLL
    for (int i = 0; i < n; i++) {
      Word word;
      __builtin_memcpy(&word, reinterpret_cast<const char *>(&value) + i * sizeof(Word), sizeof(Word));
      __builtin_memcpy(__builtin_assume_aligned(base + sizeof(Word) * (i * count + position), sizeof(Word)), &word,
                       sizeof(Word));
    }
  }
}

template <class T> QUDA_DEVICE T shared_load(const char *base, int count, int position)
{
  if constexpr (block_is_thread) {
    return reinterpret_cast<const T *>(base)[position];
  } else {
    T value;
    using Word = word_of<T>;
    constexpr int n = sizeof(T) / sizeof(Word);
    QUDA_UNROLL
    for (int i = 0; i < n; i++) {
      Word word;
      __builtin_memcpy(&word, __builtin_assume_aligned(base + sizeof(Word) * (i * count + position), sizeof(Word)),
                       sizeof(Word));
      __builtin_memcpy(reinterpret_cast<char *>(&value) + i * sizeof(Word), &word, sizeof(Word));
    }
    return value;
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
