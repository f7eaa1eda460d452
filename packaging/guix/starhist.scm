;;; starhist for CPUs, from the source tree, with StarPU of the channel guix-hpc:
;;;
;;;     guix build -f packaging/guix/starhist.scm
;;;     guix shell -f packaging/guix/starhist.scm -- starhist selftest

(use-modules (guix packages)
             (guix gexp)
             (guix download)
             (guix git-download)
             (guix utils)
             (guix build-system cmake)
             (guix build-system gnu)
             ((guix licenses) #:prefix license:)
             (gnu packages boost)
             (gnu packages compression)
             (gnu packages cpp)
             (gnu packages maths)
             (gnu packages man)
             (gnu packages pkg-config)
             (gnu packages python)
             (gnu packages python-xyz)
             (gnu packages serialization)
             (inria storm))

(define source-folder
  (string-append (current-source-directory) "/../.."))

;; An archive, which goes into shared libraries too, hence -fPIC.
(define liblzf
  (package
    (name "liblzf")
    (version "3.6")
    (source
     (origin
       (method url-fetch)
       (uri (string-append "http://dist.schmorp.de/liblzf/Attic/liblzf-"
                           version ".tar.gz"))
       (sha256
        (base32 "0smlkyw09pffg70n1lindk08d6gcmfkjd7b17w6f9jlwgcgy0pcw"))))
    (build-system gnu-build-system)
    (arguments
     (list #:configure-flags #~(list "CFLAGS=-O2 -fPIC")
           #:tests? #f))                ;there are none
    (home-page "http://oldhome.schmorp.de/marc/liblzf.html")
    (synopsis "Small and fast compression library")
    (description "LibLZF is a data compression library of two source files.")
    (license license:bsd-2)))

(package
  (name "starhist")
  (version "0.3.0")
  (source
   (local-file source-folder "starhist-checkout"
               #:recursive? #t
               #:select? (git-predicate source-folder)))
  (build-system cmake-build-system)
  (arguments
   (list
    ;; The kernels are tuned for this build type.
    #:build-type "RelWithDebInfo"
    #:configure-flags
    #~(list "-DSTARHIST_BUILD_TESTS=OFF"
            "-DSTARHIST_CUDA=OFF"
            "-DSTARHIST_GROMACS=OFF"
            "-DSTARHIST_GEMMI=OFF")
    #:phases
    #~(modify-phases %standard-phases
        (replace 'check
          (lambda* (#:key tests? #:allow-other-keys)
            (when tests?
              ;; StarPU keeps its measurements in the home folder.
              (setenv "HOME" (getcwd))
              (setenv "STARPU_WORKERS_NOBIND" "1")
              (invoke "./starhist" "selftest")))))))
  (native-inputs
   (list help2man pkg-config))
  (inputs
   (list boost
         bzip2
         hdf5
         libdeflate
         liblzf
         nlohmann-json
         python
         python-h5py
         python-matplotlib
         python-numpy
         starpu
         xz
         yaml-cpp
         zlib
         `(,zstd "lib")))
  (home-page #f)
  (synopsis
   "Exact pair-distance histograms of molecular-dynamics trajectories")
  (description
   "starhist counts the distances of all pairs of particles in trajectories of
molecular dynamics.  From the counts it makes radial distribution functions
g(r), coordination numbers, structure factors and Kirkwood-Buff integrals.  The
counts are exact and reproducible: every processor, scheduler and number of
cores gives the same integers.")
  (license license:expat))
