#pragma once

namespace starhist::capi {

/// Throws RunError where StarPU could not write its performance models: it would abort
/// the process. The folder is made, as StarPU would.
void check_models_folder();

}  // namespace starhist::capi
