#pragma once

/// Jobs of C functions, for functions of the interface that do the same within a call of their own (milc_*.cpp): the
/// call is guarded once and its arguments are judged once. A job is taken by the arguments of its C function, whose
/// description stands there, after the checks that it belongs to: jobs::invertQuda(checks, h_x, h_b, &param). Messages
/// name the function that the host has called and the one whose job it is.
/// Lifetime   : parameter structures and fields of the host outlive the job. Lists, of pointers or of numbers, are read by
///              the checks.

#include "quda.h"

#include "interface/guard.h"

namespace quda::jobs
{

extern const JobOf<::loadGaugeQuda> loadGaugeQuda;
extern const JobOf<::createGaugeFieldQuda> createGaugeFieldQuda;
extern const JobOf<::saveGaugeFieldQuda> saveGaugeFieldQuda;
extern const JobOf<::copyExtendedResidentGaugeQuda> copyExtendedResidentGaugeQuda;
extern const JobOf<::projectSU3Quda> projectSU3Quda;
extern const JobOf<::staggeredPhaseQuda> staggeredPhaseQuda;
extern const JobOf<::computeKSLinkQuda> computeKSLinkQuda;
extern const JobOf<::computeGaugeFixingOVRQuda> computeGaugeFixingOVRQuda;
extern const JobOf<::computeGaugeFixingFFTQuda> computeGaugeFixingFFTQuda;

extern const JobOf<::momResidentQuda> momResidentQuda;
extern const JobOf<::momActionQuda> momActionQuda;
extern const JobOf<::updateGaugeFieldQuda> updateGaugeFieldQuda;
extern const JobOf<::computeGaugeForceQuda> computeGaugeForceQuda;
extern const JobOf<::computeHISQForceQuda> computeHISQForceQuda;
extern const JobOf<::computeCloverForceQuda> computeCloverForceQuda;

extern const JobOf<::dslashQuda> dslashQuda;
extern const JobOf<::shiftQuda> shiftQuda;
extern const JobOf<::spinTasteQuda> spinTasteQuda;
extern const JobOf<::performTwoLinkGaussianSmearNStep> performTwoLinkGaussianSmearNStep;
extern const JobOf<::contractFTQuda> contractFTQuda;

extern const JobOf<::loadCloverQuda> loadCloverQuda;
extern const JobOf<::invertQuda> invertQuda;
extern const JobOf<::invertMultiSrcQuda> invertMultiSrcQuda;
extern const JobOf<::invertMultiShiftQuda> invertMultiShiftQuda;
extern const JobOf<::newDeflationQuda> newDeflationQuda;
extern const JobOf<::newMultigridQuda> newMultigridQuda;
extern const JobOf<::updateMultigridQuda> updateMultigridQuda;

} // namespace quda::jobs
