package dev.skein.wire;

import java.io.Serial;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ValueNode;

/// Numbers with all their digits, if they can be read back: the way they are written may need some characters more than
/// the way they came.
final class ExactNumbers extends JsonNodeFactory {

    @Serial
    private static final long serialVersionUID = 1;

    private static final int LENGTH_MAX = StreamReadConstraints.DEFAULT_MAX_NUM_LEN;

    @Override
    public ValueNode numberNode(@Nullable BigDecimal number) {
        if (number != null
                && number.precision() > LENGTH_MAX / 2
                && number.toString().length() > LENGTH_MAX) {
            throw new NumberFormatException("longer than " + LENGTH_MAX + " characters when it is written");
        }
        return super.numberNode(number);
    }
}
