package dev.skein.failure;

/// Who asks is known, or came from somewhere, and may not have this.
public final class Forbidden extends SkeinException {

    private Forbidden(String code, String message) {
        super(FailureKind.FORBIDDEN, code, message, null);
    }

    /// `grant` as it is written in keys, for example `read:sessions`.
    public static Forbidden needs(String grant) {
        return new Forbidden(
                "auth.forbidden", "the key does not allow this; it needs the scope " + grant + ", ask who made it");
    }

    /// The `Host` of a request is none of ours: a page of another site may be behind it.
    public static Forbidden host() {
        return new Forbidden(
                "auth.host_refused", "this host name is not served here; add it to 'server.hosts' in config.yaml");
    }

    /// A page of another site sent the request.
    public static Forbidden origin() {
        return new Forbidden(
                "auth.origin_refused",
                "pages of this origin may not ask here; add it to 'server.origins' in config.yaml");
    }
}
