package dev.skein.message;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;

/// Money spent, in US dollars, exact to the last digit a price list has.
public record Cost(@JsonValue BigDecimal usd) {

    public static final Cost NONE = new Cost(BigDecimal.ZERO);

    /// Adding a number with millions of digits would take all memory.
    private static final int DIGITS_MAX = 500;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Cost {
        if (usd.signum() < 0) {
            throw new IllegalArgumentException("a cost must not be negative: " + usd);
        }
        if (Math.abs((long) usd.scale()) > DIGITS_MAX || usd.precision() > DIGITS_MAX) {
            throw new IllegalArgumentException("a cost has at most " + DIGITS_MAX + " digits");
        }
        usd = usd.signum() == 0 ? BigDecimal.ZERO : usd.stripTrailingZeros();
    }

    public static Cost ofUsd(String usd) {
        return new Cost(new BigDecimal(usd));
    }

    public Cost plus(Cost other) {
        return new Cost(usd.add(other.usd));
    }

    @Override
    public String toString() {
        return "$" + usd.toPlainString();
    }
}
