! The plaquette of unit links, which is 1.
module quda_gauge
  use iso_c_binding
  implicit none
  type, bind(C) :: gauge_param ! the members of QudaGaugeParam (quda.h), in their order
    integer(c_size_t) :: struct_size
    integer(c_int) :: location, x(4)
    real(c_double) :: anisotropy, tadpole_coeff, scale
    integer(c_int) :: link_type, gauge_order, t_boundary, cpu_prec, cuda_prec, reconstruct
    integer(c_int) :: precs_and_reconstructs(8), gauge_fix, ga_pad, other_pads(4), pad
    integer(c_int) :: staggered_phase_type, staggered_phase_applied
    real(c_double) :: i_mu
    integer(c_int) :: overlap, overwrite_gauge, overwrite_mom, use_resident_gauge, use_resident_mom
    integer(c_int) :: make_resident_gauge, make_resident_mom, return_result_gauge, return_result_mom
    integer(c_size_t) :: gauge_offset, mom_offset, site_size
  end type
end module

program plaquette
  use quda_gauge
  implicit none
  integer(c_int), parameter :: lattice(4) = [4, 4, 4, 8]
  ! enum_quda.h: QUDA_WILSON_LINKS, QUDA_MILC_GAUGE_ORDER, QUDA_PERIODIC_T, QUDA_GAUGE_FIXED_NO
  integer(c_int), parameter :: wilson_links = 0, milc_order = 4, periodic_t = 1, fixed_no = 0
  type(gauge_param) :: param
  real(c_double), allocatable :: links(:, :, :) ! (re im, row by row; direction; site)
  real(c_double) :: plaq(3)

  allocate(links(18, 4, product(lattice)))
  links = 0
  links([1, 9, 17], :, :) = 1
  call new_quda_gauge_param(param)
  param%x = lattice
  param%link_type = wilson_links
  param%gauge_order = milc_order
  param%cpu_prec = c_double
  param%cuda_prec = c_double
  param%reconstruct = 12
  param%t_boundary = periodic_t
  param%gauge_fix = fixed_no
  param%anisotropy = 1
  param%tadpole_coeff = 1
  param%ga_pad = 0

  call init_quda(-1)
  call load_gauge_quda(links, param)
  call plaq_quda(plaq)
  print '(a, 3f18.15)', 'plaquette', plaq
  call free_gauge_quda()
  call end_quda()
end program
