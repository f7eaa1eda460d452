#pragma once

namespace starhist::capi {

/// Throws RunError if StarPU could not write its performance models and would abort the
/// process. Creates the folder, as StarPU would.
void check_models_folder();

}  // namespace starhist::capi
