package dev.skein.model;

import java.util.List;

/// Where models come from. Safe for use by many threads.
public interface Models {

    /// Opens a model. Nothing is sent yet.
    ///
    /// @throws dev.skein.failure.InvalidRequest if it cannot be used; says what is missing
    Model open(ModelName name);

    /// The model for whoever names none.
    ModelName defaultModel();

    /// Those that can be used here and are known by name; others can be named as well.
    default List<ModelName> names() {
        return List.of(defaultModel());
    }
}
