package dev.skein.failure;

/// A secret could not be kept or had. Nothing in the vault was changed.
public final class VaultFailed extends SkeinException {

    private VaultFailed(FailureKind kind, String code, String message) {
        super(kind, code, message, null);
    }

    public static VaultFailed notFound(String name) {
        return new VaultFailed(
                FailureKind.NOT_FOUND,
                "vault.not_found",
                "there is no secret '" + name + "'; 'skein vault list' shows which there are");
    }

    public static VaultFailed exists(String name) {
        return new VaultFailed(
                FailureKind.CONFLICT,
                "vault.exists",
                "there is a secret '" + name + "' already; 'skein vault update " + name + "' changes it");
    }

    /// `where` says where the key was looked for.
    public static VaultFailed noKey(String file, String where) {
        return new VaultFailed(
                FailureKind.UNAUTHORIZED,
                "vault.no_key",
                file + " cannot be opened without its key, and there is none in " + where
                        + "; bring the key back, or move the file away and begin anew");
    }

    /// `where` says where the key is from.
    public static VaultFailed wrongKey(String file, String where) {
        return new VaultFailed(
                FailureKind.UNAUTHORIZED,
                "vault.wrong_key",
                "the key in " + where + " is not the one that " + file + " was closed with; use that one");
    }

    public static VaultFailed damaged(String file, String why) {
        return new VaultFailed(
                FailureKind.IO,
                "vault.damaged",
                file + " was changed by something else than Skein (" + why + "); bring back a copy of it, nothing"
                        + " in it is used until then");
    }
}
