# Runs of the programs: name and case, ranks, arguments. Each verifies its own results.

set(savers 1)
if(QUDA_MPI)
  set(savers 2)
endif()

set(small --dim 4 6 4 8 --niter 1 --verbosity silent)
foreach(type open dr dr-corrected staggered)
  quda_program_test(contract_test.${type} 1 ${small} --contraction-type ${type})
endforeach()
quda_program_test(contract_test.ranks 4 ${small} --gridsize 1 1 2 2 --contraction-type dr --prec single)
quda_program_test(laph_test.tiles 1 ${small} --msrc 3 --msrc-tile 2 --nsrc 5 --nsrc-tile 3)
quda_program_test(laph_test.ranks 4 ${small} --gridsize 1 2 1 2 --msrc 4 --nsrc 2 --nsrc-tile 1 --prec single)

# all vectors of a time slice, whose correlators are those of the whole propagator; and some
set(small --tune false --verbosity silent --su3-smear-rho 0.12)
set(tau ${CMAKE_BINARY_DIR}/tests/perambulators)
quda_program_test(perambulator_test.all 1 ${small} --dim 2 2 2 4 --eig-n-conv 24 --time-sources 2 --first-source 1
  --fermion-t-boundary anti-periodic --save-perambulators ${tau}.all)
quda_program_test(perambulator_test.clover 2 ${small} --dim 2 2 2 4 --gridsize 2 1 1 1 --eig-n-conv 48 --dslash-type
  clover --kappa 0.115 --save-perambulators ${tau}.clover --nsrc-tile 64)
quda_program_test(perambulator_test.ranks 4 ${small} --dim 2 2 2 2 --gridsize 1 1 1 4 --eig-n-conv 24 --first-source 3
  --su3-smear-steps 0 --save-perambulators ${tau}.ranks)
quda_program_test(perambulator_test.some 1 ${small} --dim 4 2 2 4 --eig-n-conv 7 --time-sources 4)
quda_program_test(perambulator_test.single 2 ${small} --dim 2 2 2 2 --gridsize 1 1 1 2 --eig-n-conv 24 --prec single
  --eig-tol 1e-6)

set(small --dim 4 6 4 8 --tune false --verbosity silent)
quda_program_test(invert_test.default 1 ${small})
quda_program_test(invert_test.columns 1 ${small} --source point --nsrc 13 --recon 12 --prec-sloppy half
  --recon-sloppy 8)
quda_program_test(invert_test.cg 1 ${small} --inv-type cg --solve-type normop-pc --dagger --mass-normalization mass
  --nsrc 5 --nsrc-tile 2 --prec-sloppy single --anisotropy 1.5 --fermion-t-boundary anti-periodic)
quda_program_test(invert_test.gcr 1 ${small} --inv-type gcr --solution-type mat-dag-mat --solve-type direct
  --ngcrkrylov 8)
quda_program_test(invert_test.ca-cg 1 ${small} --inv-type ca-cg --solve-type normop-pc --ngcrkrylov 6
  --ca-basis-type chebyshev --cheby-basis-eig-max 3 --prec-sloppy single)
quda_program_test(invert_test.mr 1 ${small} --inv-type mr --omega 1.1 --dslash-type twisted-clover --mu 0.2 --dagger)
quda_program_test(invert_test.ranks 4 ${small} --gridsize 1 1 2 2 --inv-type cgne --solution-type mat-pc
  --matpc odd-odd-asym --prec single --tolhq 1e-4 --nsrc 2)
quda_program_test(invert_test.sub-grids 4 ${small} --gridsize 1 1 2 2 --grid-partition 1 1 1 2 --nsrc 4 --dslash-type
  clover)
quda_program_test(dslash_test.sub-grids 2 ${small} --gridsize 1 1 1 2 --grid-partition 1 1 1 2 --prec half)
quda_program_test(invert_test.clover 1 ${small} --dslash-type clover --dagger --nsrc 3 --prec-sloppy half
  --compute-clover false --matpc odd-odd)
quda_program_test(invert_test.clover-ranks 4 ${small} --gridsize 1 1 2 2 --dslash-type clover --clover-csw 1.5
  --inv-type cg --solve-type normop-pc --matpc even-even-asym --prec-sloppy single --recon 12)
quda_program_test(dslash_test.mobius-eofa 2 --dim 2 4 6 4 --gridsize 1 1 1 2 --tune false --verbosity silent --niter 1
  --dslash-type mobius-eofa --Lsdim 5 --test MatPC --matpc odd-odd-asym --dagger --recon 12 --mass-normalization mass)
quda_program_test(dslash_test.domain-wall 4 --dim 4 2 4 4 --gridsize 2 1 1 2 --tune false --verbosity silent --niter 1
  --dslash-type domain-wall --Lsdim 4 --test Mat --prec single)
foreach(type wilson clover)
  quda_program_test(dslash_test.${type} 1 ${small} --dslash-type ${type} --test MatPC --dagger --compute-clover false)
  quda_program_test(dslash_test.${type}-ranks 2 ${small} --gridsize 1 1 1 2 --dslash-type ${type} --prec single
    --recon 12 --matpc odd-odd)
endforeach()
foreach(type twisted-mass twisted-clover clover-hasenbusch-twist)
  quda_program_test(dslash_test.${type} 1 ${small} --dslash-type ${type} --test MatPC --dagger --mu 0.3 --recon 12
    --compute-clover false)
  quda_program_test(invert_test.${type} 2 ${small} --gridsize 1 1 1 2 --dslash-type ${type} --mu 0.3 --nsrc 2
    --prec-sloppy half --dagger)
endforeach()
foreach(type twisted-mass twisted-clover)
  quda_program_test(dslash_test.${type}-doublet 2 ${small} --gridsize 1 1 1 2 --dslash-type ${type} --mu 0.3
    --epsilon 0.2 --flavor nondeg-doublet --matpc odd-odd --prec single)
  quda_program_test(invert_test.${type}-doublet 1 ${small} --dslash-type ${type} --mu 0.3 --epsilon 0.2
    --flavor nondeg-doublet --inv-type cg --solve-type normop-pc --matpc odd-odd-asym --nsrc 2)
endforeach()
quda_program_test(invert_test.shifts 1 ${small} --multishift 6 --prec-sloppy half --mass-normalization mass)
quda_program_test(invert_test.shifts-ranks 2 ${small} --gridsize 1 1 1 2 --multishift 3 --nsrc 3 --prec-sloppy single
  --dslash-type clover --dagger --solution-type mat-dag-mat)
foreach(type staggered asqtad)
  quda_program_test(staggered_dslash_test.${type} 1 ${small} --dslash-type ${type} --test MatPC --recon 12)
  quda_program_test(staggered_dslash_test.${type}-ranks 2 ${small} --gridsize 1 1 1 2 --dslash-type ${type} --dagger
    --prec single --matpc odd-odd --mass-normalization kappa)
  quda_program_test(staggered_invert_test.${type} 1 ${small} --dslash-type ${type} --nsrc 2 --prec-sloppy half)
endforeach()
# half outside, and of staggered links by thirteen or nine numbers
foreach(type wilson clover twisted-clover clover-hasenbusch-twist domain-wall mobius)
  quda_program_test(dslash_test.${type}-half 1 ${small} --dslash-type ${type} --test Mat --prec half --recon 8 --mu 0.3)
endforeach()
quda_program_test(staggered_dslash_test.staggered-half 1 ${small} --dslash-type staggered --prec half --recon 13)
quda_program_test(staggered_dslash_test.asqtad-half 2 ${small} --gridsize 1 1 1 2 --dslash-type asqtad --test Mat
  --prec half --recon 9)
quda_program_test(staggered_invert_test.shifts 1 ${small} --multishift 5 --nsrc 2 --prec-sloppy half)
quda_program_test(staggered_invert_test.ranks 4 ${small} --gridsize 1 1 2 2 --solution-type mat-pc
  --matpc odd-odd --mass-normalization kappa --source point --prec-sloppy single)
quda_program_test(invert_test.not-converged 1 ${small} --niter 2)
quda_program_test(invert_test.refused 1 ${small} --inv-type cg --solve-type direct)
set_tests_properties(program.invert_test.not-converged program.invert_test.refused PROPERTIES WILL_FAIL TRUE)
# a converged solve of one parity, whose solution on both is not good enough, nor can be
quda_program_test(invert_test.below-single 1 --load-gauge ${tests}/data/beta6_4448.ildg --dslash-type domain-wall-4d
  --Lsdim 8 --m5 -1.8 --inv-type cg --solve-type normop-pc --tol 1e-7 --prec single --source point --tune false
  --verbosity summarize)
set_tests_properties(program.invert_test.below-single PROPERTIES
  PASS_REGULAR_EXPRESSION "did not: the tolerance is below what this precision can reach")
quda_program_test(invert_test.schwarz 1 --dim 4 4 4 8 --tune false --verbosity silent --dslash-type mobius --Lsdim 4
  --inv-type pcg --solve-type normop-pc --precon-type cg --precon-niter 4 --precon-schwarz-type add
  --precon-block 4 4 4 4 --prec-precondition single)
# so many with steps inside of blocks: CG alone takes 78, steps on the whole lattice leave 19
set_tests_properties(program.invert_test.schwarz PROPERTIES PASS_REGULAR_EXPRESSION "1 sources, 34 iterations.*PASSED")

set(small --load-gauge ${tests}/data/beta6_4448.ildg --tune false --verbosity silent --prec-sloppy single)
quda_program_test(invert_test.multigrid 1 ${small} --kappa 0.155 --inv-multigrid true --mg-setup-maxiter 0 100
  --mg-nvec 0 12 --niter 40 --nsrc 2 --nsrc-tile 1)
quda_program_test(invert_test.multigrid-ranks 2 ${small} --gridsize 1 1 1 2 --inv-multigrid true --dslash-type
  twisted-clover --kappa 0.135 --mu 0.01 --mg-block-size 0 2 2 2 2 --mg-nvec 0 12 --mg-setup-maxiter 0 100
  --mg-mu-factor 1 2 --mg-smoother 0 mr --matpc odd-odd --niter 40)
quda_program_test(invert_test.multigrid-low-modes 1 ${small} --kappa 0.155 --inv-multigrid true --mg-setup-maxiter 0 100
  --mg-nvec 0 12 --inv-type pcg --solve-type normop-pc --mg-eig 1 true --mg-eig-n-ev 1 8 --mg-eig-n-kr 1 24
  --mg-coarse-solver-tol 1 0.05 --niter 60)
quda_program_test(mg_tune.operations 1 ${small} --kappa 0.15 --beta 6 --heatbath-warmup-steps 20
  --mg-setup-maxiter 0 40 --mg-nvec 0 16 --mg-block-size 0 4 2 4 4 --tune-by-flops true)
foreach(thin true false)
  quda_program_test(multigrid_evolve_test.thin-${thin} 1 ${small} --kappa 0.155 --evolve-steps 4
    --mg-evolve-thin-updates ${thin} --mg-setup-maxiter 0 100 --mg-nvec 0 12)
endforeach()

quda_program_test(invert_test.deflated 1 --dim 4 4 4 4 --tune false --verbosity silent --inv-type cg --solve-type
  normop-pc --kappa 0.14 --nsrc 5 --nsrc-tile 3 --inv-deflate true --eig-n-ev 6 --eig-n-kr 36)
set(small --dim 4 4 4 4 --tune false --verbosity silent --df-n-ev 6 --df-max-search-dim 24 --df-deflation-grid 2)
quda_program_test(deflated_invert_test.default 1 ${small} --kappa 0.14 --nsrc 5 --prec-sloppy half)
quda_program_test(deflated_invert_test.ranks 2 ${small} --gridsize 1 1 1 2 --dslash-type clover --nsrc 4 --nsrc-tile 1
  --prec-ritz double --df-tol-restart 1e-3)
quda_program_test(staggered_invert_test.eigcg 1 ${small} --inv-type inc-eigcg --nsrc 3 --mass 0.02)
set(small --dim 4 4 4 4 --tune false --verbosity silent --eig-n-ev 6 --eig-n-kr 36)
quda_program_test(eigensolve_test.default 1 ${small} --recon 12)
quda_program_test(eigensolve_test.polynomial 2 ${small} --gridsize 1 1 1 2 --dslash-type clover --eig-use-poly-acc true
  --eig-poly-deg 20 --eig-compute-svd true --matpc odd-odd-asym)
quda_program_test(eigensolve_test.blocks 1 ${small} --eig-type blktrlm --eig-block-size 3 --eig-spectrum LR
  --eig-use-pc false --unit-gauge true)
quda_program_test(eigensolve_test.iram 1 ${small} --eig-type iram --eig-use-normop false --eig-spectrum LI)
quda_program_test(eigensolve_test.gamma5 1 ${small} --eig-use-normop false --eig-compute-gamma5 true --eig-use-pc false
  --eig-spectrum LM)
quda_program_test(eigensolve_test.twisted 1 ${small} --dslash-type twisted-mass --mu 0.2 --prec single
  --eig-spectrum LR)
quda_program_test(staggered_eigensolve_test.default 1 ${small} --eig-tol 1e-7 --mass 0.5)
quda_program_test(staggered_eigensolve_test.ranks 2 ${small} --gridsize 1 1 1 2 --dslash-type asqtad --eig-use-poly-acc
  true --eig-poly-deg 20 --eig-tol 1e-7)

# what some processes save, one loads; without restarts it would find nothing
set(vectors ${CMAKE_BINARY_DIR}/tests/saved_vectors)
math(EXPR slices "8 / ${savers}")
set(small --tune false --verbosity silent --eig-n-ev 6 --eig-n-kr 36)
quda_program_test(eigensolve_test.save ${savers} ${small} --dim 4 4 4 ${slices} --gridsize 1 1 1 ${savers}
  --eig-save-vec ${vectors} --eig-io-parity-inflate true)
quda_program_test(eigensolve_test.load 1 ${small} --dim 4 4 4 8 --eig-load-vec ${vectors} --eig-max-restarts 0)
set_tests_properties(program.eigensolve_test.save PROPERTIES FIXTURES_SETUP saved-vectors)
set_tests_properties(program.eigensolve_test.load PROPERTIES FIXTURES_REQUIRED saved-vectors)

quda_program_test(plaq_test.data ${savers} --load-gauge ${tests}/data/beta6_4448.ildg --gridsize 1 1 1 ${savers}
  --tune false)
quda_program_test(heatbath_test.short 1 --dim 4 4 4 8 --heatbath-beta 6 --heatbath-warmup-steps 2
  --heatbath-num-steps 3 --heatbath-num-hb-per-step 1 --heatbath-num-or-per-step 2 --tune false)

foreach(action symanzik iwasaki dbw2)
  quda_program_test(heatbath_test.${action} 1 --dim 4 4 4 6 --heatbath-beta 3 --gauge-action ${action}
    --action-anisotropy 1.5 --heatbath-warmup-steps 1 --heatbath-num-steps 2 --heatbath-num-hb-per-step 1
    --heatbath-num-or-per-step 1 --tune false)
endforeach()

set(small --dim 4 4 4 4 --tune false --verbosity silent)
quda_program_test(hmc_gauge_test.leapfrog 1 ${small} --integrator leapfrog --trajectory-steps 16 --check-order true
  --trajectories 300 --heatbath-num-steps 400)
quda_program_test(hmc_gauge_test.omelyan2 2 --dim 4 4 4 2 --gridsize 1 1 1 2 --tune false --verbosity silent
  --gauge-action symanzik --beta 4.2 --integrator omelyan2 --trajectory-steps 8 --check-order true)
quda_program_test(hmc_gauge_test.omelyan4 1 ${small} --gauge-action iwasaki --beta 2.4 --action-anisotropy 1.5
  --integrator omelyan4 --trajectory-steps 5 --check-order true --recon 12)
quda_program_test(hmc_gauge_test.force-gradient 1 ${small} --gauge-action dbw2 --beta 0.9 --integrator force-gradient
  --trajectory-steps 6 --check-order true)
# two errors, of long series
set(slow_hmc)
foreach(extent 4 8)
  set(lattice --dim ${extent} ${extent} ${extent} ${extent} --beta 5.5 --errors 2 --heatbath-warmup-steps 200)
  set(steps_leapfrog 32)
  set(steps_omelyan2 20)
  set(steps_omelyan4 12)
  set(steps_force-gradient 12)
  foreach(integrator leapfrog omelyan2 omelyan4 force-gradient)
    quda_program_test(hmc_gauge_test.${extent}-${integrator} 1 ${lattice} --integrator ${integrator} --trajectories 200
      --trajectory-steps ${steps_${integrator}} --check-order true)
    list(APPEND slow_hmc program.hmc_gauge_test.${extent}-${integrator})
  endforeach()
endforeach()
foreach(action wilson symanzik iwasaki dbw2)
  set(beta_wilson 5.5)
  set(beta_symanzik 4.2)
  set(beta_iwasaki 2.4)
  set(beta_dbw2 0.9)
  quda_program_test(hmc_gauge_test.plaquette-${action} 1 --dim 4 4 4 4 --beta ${beta_${action}} --gauge-action
    ${action} --errors 2 --heatbath-warmup-steps 200 --integrator omelyan2 --trajectory-steps 8 --trajectories 4000
    --heatbath-num-steps 8000)
  list(APPEND slow_hmc program.hmc_gauge_test.plaquette-${action})
endforeach()
# with quarks
set(quarks --tune false --verbosity silent --beta 5.6 --kappa 0.12 --clover-csw 1.2)
set(small --dim 4 4 4 4 ${quarks})
quda_program_test(hmc_test.hasenbusch 1 ${small} --hasenbusch-mu 0.2,0.6 --middle-steps 2 --trajectory-steps 3
  --chronology 3 --trajectories 8)
quda_program_test(hmc_test.order-2 1 ${small} --hasenbusch-mu 0.3 --trajectory-steps 5 --trajectory-length 0.6
  --trajectories 0 --check-order true)
quda_program_test(hmc_test.order-4 1 ${small} --integrator omelyan4 --gauge-integrator force-gradient --gauge-steps 1
  --trajectory-steps 4 --trajectory-length 0.3 --trajectories 0 --check-order true)
quda_program_test(hmc_test.one-flavour 2 ${quarks} --dim 4 4 2 4 --gridsize 1 1 2 1 --two-flavours false --one-flavour
  true --rational-low 0.1 --rational-high 3.5 --trajectory-steps 3 --trajectories 6)
quda_program_test(hmc_test.stout 1 ${small} --stout-steps 2 --stout-rho 0.1 --trajectory-steps 5 --trajectory-length 0.5
  --trajectories 0 --check-order true)
quda_program_test(hmc_test.wilson 1 --dim 4 4 4 6 --tune false --verbosity silent --beta 5.3 --kappa 0.14
  --hasenbusch-mu 0.3 --trajectory-steps 3 --trajectories 4)
quda_program_test(hmc_test.twisted-mass 1 --dim 4 4 4 4 --tune false --verbosity silent --beta 5.6 --kappa 0.12
  --dslash-type twisted-mass --mu 0.5 --hasenbusch-mu 0.3 --trajectory-steps 4 --trajectory-length 0.5 --trajectories 0
  --check-order true)
quda_program_test(hmc_test.twisted-clover 2 ${quarks} --dim 4 4 2 4 --gridsize 1 1 2 1 --dslash-type twisted-clover
  --mu 0.5 --hasenbusch-mu 0.3 --trajectory-steps 4 --trajectory-length 0.5 --trajectories 0 --check-order true)
quda_program_test(hmc_test.hisq 2 --dim 4 4 4 4 --gridsize 1 1 1 2 --tune false --verbosity silent --beta 6.5
  --gauge-action symanzik --hisq true --mass 0.3 --rational-error 1e-8 --trajectory-steps 3 --trajectory-length 0.5
  --trajectories 4)
quda_program_test(hmc_test.hisq-order 1 --dim 4 4 4 4 --tune false --verbosity silent --beta 6.5 --gauge-action symanzik
  --hisq true --mass 0.3 --rational-error 1e-8 --trajectory-steps 4 --trajectory-length 0.4 --trajectories 0
  --check-order true)
quda_program_test(hmc_test.domain-wall 2 --dim 4 4 4 2 --gridsize 1 1 1 2 --tune false --verbosity silent --beta 5.8
  --domain-wall true --one-flavour true --Lsdim 8 --rational-error 1e-8 --trajectory-steps 3
  --trajectory-length 0.5 --trajectories 1)
quda_program_test(hmc_test.domain-wall-order 1 --dim 4 4 2 4 --tune false --verbosity silent --beta 5.8
  --domain-wall true --one-flavour true --Lsdim 4 --rational-error 1e-8 --trajectory-steps 3 --trajectory-length 0.3
  --trajectories 0 --check-order true)
quda_program_test(hmc_test.refused 1 ${small} --two-flavours false)
set_tests_properties(program.hmc_test.refused PROPERTIES PASS_REGULAR_EXPRESSION "no quarks")
quda_program_test(hmc_test.not-twisted 1 ${small} --mu 0.5)
set_tests_properties(program.hmc_test.not-twisted PROPERTIES PASS_REGULAR_EXPRESSION "--mu: of twisted quarks")
# two errors, of long series
set(long --dim 4 4 4 4 --errors 2 --heatbath-warmup-steps 100 --warmup-trajectories 20 --clover-csw 1.76 --kappa 0.12
  --beta 5.6 --trajectories 200)
quda_program_test(hmc_test.200-hasenbusch 1 ${long} --hasenbusch-mu 0.4 --trajectory-steps 6)
quda_program_test(hmc_test.200-one-flavour 1 ${long} --two-flavours false --one-flavour true --trajectory-steps 5)
# the plaquette that other programs have
quda_program_test(hmc_test.plaquette 1 --dim 4 4 4 4 --errors 2 --heatbath-warmup-steps 100 --warmup-trajectories 30
  --clover-csw 1.76 --kappa 0.138 --beta 5.6 --trajectories 300 --hasenbusch-mu 0.4 --trajectory-steps 6 --gauge-steps 3
  --expected-plaquette 0.5905 --expected-error 0.0003)
quda_program_test(hmc_test.plaquette-twisted 1 --dim 4 4 4 4 --errors 2 --heatbath-warmup-steps 100
  --warmup-trajectories 50 --dslash-type twisted-mass --kappa 0.177 --mu 0.5 --beta 6 --trajectories 2000
  --trajectory-steps 4 --gauge-steps 3 --expected-plaquette 0.6245 --expected-error 0.00005)
list(APPEND slow_hmc program.hmc_test.200-hasenbusch program.hmc_test.200-one-flavour program.hmc_test.plaquette
  program.hmc_test.plaquette-twisted)
set_tests_properties(${slow_hmc} PROPERTIES LABELS slow TIMEOUT 7200)
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(launcher)
  if(QUDA_MPI)
    set(launcher ${MPIEXEC_EXECUTABLE} --oversubscribe --bind-to none -n)
  endif()
  set(restart ${Python3_EXECUTABLE} -B ${tests}/programs/hmc_restart_test.py)
  add_test(NAME program.hmc_gauge_test.restart COMMAND ${restart} $<TARGET_FILE:hmc_gauge_test> 300
    "--trajectory-steps 6" ${launcher})
  add_test(NAME program.hmc_test.restart COMMAND ${restart} $<TARGET_FILE:hmc_test> 12 "--kappa 0.12 --clover-csw 1.2\
 --hasenbusch-mu 0.3 --one-flavour true --rational-error 1e-6 --trajectory-steps 1 --trajectory-length 0.2\
 --chronology 3 --stout-steps 1" ${launcher})
  add_test(NAME program.hmc_picture COMMAND ${Python3_EXECUTABLE} -B ${tests}/programs/hmc_picture_test.py
    ${PROJECT_SOURCE_DIR}/utils/plot_hmc.py $<TARGET_FILE:hmc_test> ${launcher})
  add_test(NAME program.spectrum_picture COMMAND ${Python3_EXECUTABLE} -B ${tests}/programs/spectrum_picture_test.py
    ${PROJECT_SOURCE_DIR}/utils/plot_spectrum.py $<TARGET_FILE:eigensolve_test> ${launcher})
  add_test(NAME program.convergence_picture COMMAND ${Python3_EXECUTABLE} -B
    ${tests}/programs/convergence_picture_test.py ${PROJECT_SOURCE_DIR}/utils/plot_convergence.py
    $<TARGET_FILE:invert_test> ${launcher})
  add_test(NAME program.invert_test.residual-mass COMMAND ${Python3_EXECUTABLE} -B
    ${tests}/programs/residual_mass_test.py $<TARGET_FILE:invert_test> ${tests}/data/beta6_4448.ildg ${launcher})
  set_tests_properties(program.spectrum_picture program.convergence_picture program.hmc_picture
    program.invert_test.residual-mass PROPERTIES LABELS quick
    TIMEOUT 300 PROCESSORS 2 ENVIRONMENT "OMP_NUM_THREADS=1;${mpi_environment}")
  set_tests_properties(program.hmc_gauge_test.restart program.hmc_test.restart PROPERTIES LABELS "mpi;quick" TIMEOUT 300
    PROCESSORS 2 ENVIRONMENT "OMP_NUM_THREADS=1;${mpi_environment}")
endif()

quda_program_test(gauge_path_test.double 1 --dim 4 6 4 8 --tune false --niter 1)
quda_program_test(gauge_path_test.single 2 --dim 4 6 4 8 --gridsize 1 1 1 2 --prec single --recon 12 --tune false
  --niter 1)

quda_program_test(llfat_test.asqtad 1 --dim 4 6 4 8 --tadpole-coeff 0.87 --tune false --niter 1)
quda_program_test(llfat_test.hisq 4 --dim 4 2 4 4 --gridsize 1 2 1 2 --links hisq --epsilon-naik -0.1 --tune false
  --niter 1)
quda_program_test(llfat_test.single 2 --dim 4 4 4 4 --gridsize 2 1 1 1 --links hisq --prec single --tune false
  --niter 1)

foreach(smearing ape stout ovrimp-stout hyp wilson symanzik zeuthen)
  quda_program_test(su3_test.${smearing} 1 --dim 4 4 4 6 --su3-smear-type ${smearing} --su3-smear-steps 4
    --su3-measurement-interval 2 --tune false)
endforeach()
quda_program_test(su3_test.adaptive 2 --dim 4 4 4 6 --gridsize 1 1 1 2 --su3-smear-type wilson --su3-smear-steps 2
  --su3-smear-epsilon 0.1 --su3-flow-tolerance 1e-3 --tune false)
quda_program_test(su3_fermion_test.symanzik 1 --dim 2 4 6 4 --su3-smear-type symanzik --su3-smear-steps 9
  --su3-smear-anisotropy 1.3 --su3-adj-gauge-nsave 2 --su3-hier-threshold 1 --nsrc 2 --tune false)
quda_program_test(su3_fermion_test.ranks 2 --dim 4 4 4 4 --gridsize 1 1 1 2 --su3-smear-steps 9 --su3-smear-rk-order 4
  --prec single --tune false)
quda_program_test(flow_scale_test.short 2 --dim 4 4 4 4 --gridsize 1 1 1 2 --configurations 3 --bins 3 --separation 2
  --heatbath-warmup-steps 3 --su3-smear-steps 8 --tune false)
# t0 as other programs have it, to less than one per cent
quda_program_test(flow_scale_test.t0 1 --configurations 400 --expected 2.777 --expected-error 0.011)
set_tests_properties(program.flow_scale_test.t0 PROPERTIES LABELS slow TIMEOUT 7200)

quda_program_test(demo.ranks 2 --dim 4 4 4 4 --gridsize 1 1 1 2 --prec single --heatbath-warmup-steps 2
  --heatbath-num-steps 2 --su3-smear-steps 2 --tune false)

# what one program saves, another loads
set(saved ${CMAKE_BINARY_DIR}/tests/saved_gauge)
foreach(format ildg nersc nersc-3x2 milc)
  quda_program_test(su3_test.save-${format} ${savers} --dim 4 4 4 4 --gridsize 1 1 1 ${savers} --su3-smear-steps 1
    --tune false --save-gauge ${saved}.${format} --save-gauge-format ${format})
  quda_program_test(su3_test.load-${format} 1 --load-gauge ${saved}.${format} --su3-smear-steps 1 --tune false)
  set_tests_properties(program.su3_test.save-${format} PROPERTIES FIXTURES_SETUP saved-${format})
  set_tests_properties(program.su3_test.load-${format} PROPERTIES FIXTURES_REQUIRED saved-${format})
endforeach()
# with a checksum that is wrong
set(wrong ${CMAKE_BINARY_DIR}/tests/wrong_checksum.nersc)
add_test(NAME program.wrong-checksum
  COMMAND sh -c "sed 's/^CHECKSUM = .*/CHECKSUM = 12345678/' '${saved}.nersc' >'${wrong}'")
quda_program_test(su3_test.wrong-checksum 1 --load-gauge ${wrong} --su3-smear-steps 1 --tune false)
quda_program_test(su3_test.ignore-checksum 1 --load-gauge ${wrong} --ignore-checksum --su3-smear-steps 1 --tune false)
set_tests_properties(program.wrong-checksum PROPERTIES LABELS quick FIXTURES_SETUP wrong-checksum
  FIXTURES_REQUIRED saved-nersc)
set_tests_properties(program.su3_test.wrong-checksum program.su3_test.ignore-checksum PROPERTIES
  FIXTURES_REQUIRED wrong-checksum)
set_tests_properties(program.su3_test.wrong-checksum PROPERTIES WILL_FAIL TRUE)
set_tests_properties(program.su3_test.ignore-checksum PROPERTIES PASS_REGULAR_EXPRESSION
  "WARNING: [^\n]*checksum computed [0-9a-f]+, stored 12345678")
# and into the same file, which is read before it is replaced
quda_program_test(su3_test.in-place 1 --load-gauge ${saved}.ildg --su3-smear-steps 1 --tune false
  --save-gauge ${saved}.ildg)
set_tests_properties(program.su3_test.in-place PROPERTIES FIXTURES_REQUIRED saved-ildg
  DEPENDS program.su3_test.load-ildg)
quda_program_test(heatbath_test.data 1 --load-gauge ${tests}/data/beta6_4448.ildg --heatbath-beta 6
  --heatbath-warmup-steps 0 --heatbath-num-steps 1 --tune false --save-gauge ${saved}.heatbath)
