package dev.skein.model;

/// Where models come from. Safe for use by many threads.
public interface Models {

    /// Opens a model. Nothing is sent yet.
    ///
    /// @throws dev.skein.failure.InvalidRequest if it cannot be used; says what is missing
    Model open(ModelName name);

    /// The model for whoever names none.
    ModelName defaultModel();
}
