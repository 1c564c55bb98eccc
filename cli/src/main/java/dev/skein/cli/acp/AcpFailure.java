package dev.skein.cli.acp;

/// An answer that is an error, with a code of JSON-RPC.
final class AcpFailure extends RuntimeException {

    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL_ERROR = -32603;
    static final int NOT_FOUND = -32002;

    private final int code;

    AcpFailure(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }
}
