package dev.skein.failure;

/// Another session of the same scope has this name already.
public final class AliasInUse extends SkeinException {

    public AliasInUse(Object alias, Object holder) {
        super(
                FailureKind.CONFLICT,
                "session.alias_in_use",
                "the name '" + alias + "' belongs to session " + holder
                        + "; choose another name or rename that session",
                null);
    }
}
