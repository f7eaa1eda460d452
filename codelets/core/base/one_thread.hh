#pragma once

#include "codelets/core/base/contract.hh"

#ifdef STARHIST_CONTRACTS
#include <atomic>
#include <thread>
#endif

namespace starhist {

/// Member of an object for one thread at a time. STARHIST_EXPECT_ONE_THREAD(member) at
/// the beginning of its functions expects that no other thread is in one of them. The
/// same thread may be in several, one called by the other. Empty without contracts.
class OneThread {
#ifdef STARHIST_CONTRACTS
 public:
  OneThread() = default;
  /// A copy is another object, in which no thread is yet.
  OneThread(const OneThread& /*other*/) noexcept {}
  OneThread& operator=(const OneThread& /*other*/) noexcept {
    return *this;
  }

  /// Exists while a thread is in a function of the object.
  class Entry {
   public:
    explicit Entry(OneThread& object) : object_(object) {
      std::thread::id inside;
      const std::thread::id self = std::this_thread::get_id();
      outermost_ = object.inside_.compare_exchange_strong(inside, self);
      STARHIST_EXPECT(outermost_ || inside == self,
                      "the object is for one thread at a time");
    }
    ~Entry() {
      if (outermost_) {
        object_.inside_.store(std::thread::id());
      }
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    OneThread& object_;
    bool outermost_ = false;
  };

 private:
  std::atomic<std::thread::id> inside_;
#endif
};

}  // namespace starhist

#ifdef STARHIST_CONTRACTS
#define STARHIST_EXPECT_ONE_THREAD(member) \
  const ::starhist::OneThread::Entry starhist_entry(member)
#else
#define STARHIST_EXPECT_ONE_THREAD(member) static_cast<void>(0)
#endif
