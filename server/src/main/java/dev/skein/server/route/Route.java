package dev.skein.server.route;

import dev.skein.server.auth.Grant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Every request the server answers: its method, its path, and what a caller needs for it.
///
/// A part of a path in braces stands for anything, and is what the handler is given under that name.
public enum Route {
    PAGE("GET", "/", Access.OPEN),
    PAGE_FILE("GET", "/page/{version}/{file}", Access.OPEN),
    OPENAPI("GET", "/openapi.yaml", Access.CALLER),
    INFO("GET", "/v1/info", Access.CALLER),
    INFO_MCP("GET", "/v1/info/mcp", Grant.READ_AGENTS),
    RELOAD_MCP("POST", "/v1/mcp/reload", Grant.ADMIN_MCP),
    AUTH_CHECK("POST", "/v1/auth/check", Access.CALLER),
    TOOLS("GET", "/v1/tools", Grant.READ_AGENTS),
    MODELS("GET", "/v1/models", Grant.READ_MODELS),
    CHAT("POST", "/v1/chat/completions", Grant.RUN_AGENTS),
    ROLES("GET", "/v1/roles", Grant.READ_AGENTS),
    AGENTS("GET", "/v1/agents", Grant.READ_AGENTS),
    RAGS("GET", "/v1/rags", Grant.READ_AGENTS),
    REBUILD_RAG("POST", "/v1/rags/{name}/rebuild", Grant.ADMIN_RAGS),
    SCHEDULES("GET", "/v1/schedules", Grant.READ_AGENTS),
    RUN_SCHEDULE("POST", "/v1/schedules/{name}/run", Grant.RUN_AGENTS),
    SEARCH("GET", "/v1/search", Grant.READ_SESSIONS),
    COMPLETE("POST", "/v1/completions", Grant.RUN_AGENTS),
    CREATE_SESSION("POST", "/v1/sessions", Grant.WRITE_SESSIONS),
    LIST_SESSIONS("GET", "/v1/sessions", Grant.READ_SESSIONS),
    GET_SESSION("GET", "/v1/sessions/{id}", Grant.READ_SESSIONS),
    CHANGE_SESSION("PATCH", "/v1/sessions/{id}", Grant.WRITE_SESSIONS),
    DELETE_SESSION("DELETE", "/v1/sessions/{id}", Grant.WRITE_SESSIONS),
    MESSAGES("GET", "/v1/sessions/{id}/messages", Grant.READ_SESSIONS),
    LOOPS("GET", "/v1/sessions/{id}/loops", Grant.READ_SESSIONS),
    TREE("GET", "/v1/sessions/{id}/tree", Grant.READ_SESSIONS),
    USAGE("GET", "/v1/sessions/{id}/usage", Grant.READ_SESSIONS),
    EXPORT("GET", "/v1/sessions/{id}/export", Grant.READ_SESSIONS),
    EVENTS("GET", "/v1/sessions/{id}/events", Grant.READ_SESSIONS),
    APPROVALS("GET", "/v1/sessions/{id}/approvals", Grant.READ_SESSIONS),
    DECIDE("POST", "/v1/sessions/{id}/approvals/{call}", Grant.RUN_AGENTS),
    SESSION_COMPLETE("POST", "/v1/sessions/{id}/completions", Grant.RUN_AGENTS),
    CONTINUE("POST", "/v1/sessions/{id}/continue", Grant.RUN_AGENTS),
    REGENERATE("POST", "/v1/sessions/{id}/regenerate", Grant.RUN_AGENTS),
    PARALLEL("POST", "/v1/sessions/{id}/parallel", Grant.RUN_AGENTS),
    COMPRESS("POST", "/v1/sessions/{id}/compress", Grant.RUN_AGENTS),
    CANCEL("POST", "/v1/sessions/{id}/cancel", Grant.RUN_AGENTS),
    SET_AGENT("POST", "/v1/sessions/{id}/agent", Grant.WRITE_SESSIONS),
    CLEAR_AGENT("DELETE", "/v1/sessions/{id}/agent", Grant.WRITE_SESSIONS),
    SET_ROLE("POST", "/v1/sessions/{id}/role", Grant.WRITE_SESSIONS),
    CLEAR_ROLE("DELETE", "/v1/sessions/{id}/role", Grant.WRITE_SESSIONS),
    SET_RAG("POST", "/v1/sessions/{id}/rag", Grant.WRITE_SESSIONS),
    CLEAR_RAG("DELETE", "/v1/sessions/{id}/rag", Grant.WRITE_SESSIONS),
    SAY("POST", "/v1/channels/{channel}/{chat}/messages", Grant.RUN_AGENTS),
    UNDO("POST", "/v1/sessions/{id}/undo", Grant.WRITE_SESSIONS),
    FORK("POST", "/v1/sessions/{id}/fork", Grant.WRITE_SESSIONS),
    EMPTY("POST", "/v1/sessions/{id}/empty", Grant.WRITE_SESSIONS);

    /// Who may use a route that needs no grant.
    public enum Access {
        /// Anybody, without saying who they are.
        OPEN,
        /// Anybody who said who they are.
        CALLER
    }

    private final String method;
    private final String path;
    private final Access access;
    private final @Nullable Grant grant;

    Route(String method, String path, Access access) {
        this(method, path, access, null);
    }

    Route(String method, String path, Grant grant) {
        this(method, path, Access.CALLER, grant);
    }

    Route(String method, String path, Access access, @Nullable Grant grant) {
        this.method = method;
        this.path = path;
        this.access = access;
        this.grant = grant;
    }

    public String method() {
        return method;
    }

    /// The pattern, for example `/v1/sessions/{id}`.
    public String path() {
        return path;
    }

    public Access access() {
        return access;
    }

    /// What a caller must have been granted, if anything.
    public Optional<Grant> grant() {
        return Optional.ofNullable(grant);
    }

    List<String> segments() {
        return List.of(path.substring(1).split("/"));
    }
}
