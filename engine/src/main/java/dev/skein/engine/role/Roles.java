package dev.skein.engine.role;

import java.util.List;
import java.util.Optional;

/// Where roles are kept. Safe for use by many threads.
public interface Roles {

    Roles NONE = new Roles() {
        @Override
        public Optional<RoleSpec> find(String name) {
            return Optional.empty();
        }

        @Override
        public List<String> names() {
            return List.of();
        }
    };

    /// The role of this name.
    ///
    /// @throws dev.skein.failure.InvalidRequest if there is such a role and it cannot be read
    Optional<RoleSpec> find(String name);

    /// In alphabetical order, those that cannot be read too.
    List<String> names();
}
