package dev.skein.tools.web;

import java.net.InetAddress;
import java.util.List;

/// Tells addresses of the public internet from all others: this machine, private networks, link-local ones (where
/// clouds keep their metadata), shared, reserved, documentation and multicast ranges.
///
/// Java gives an IPv4 address wrapped in IPv6 (`::ffff:…`) as what it wraps. Of those that carry an IPv4 address
/// otherwise, NAT64 is judged by it and the rest (6to4, Teredo) are not public.
public final class AddressRules {

    private static final List<Range> NOT_PUBLIC = List.of(
            Range.of("0.0.0.0", 8),
            Range.of("10.0.0.0", 8),
            Range.of("100.64.0.0", 10),
            Range.of("127.0.0.0", 8),
            Range.of("169.254.0.0", 16),
            Range.of("172.16.0.0", 12),
            Range.of("192.0.0.0", 24),
            Range.of("192.0.2.0", 24),
            Range.of("192.88.99.0", 24),
            Range.of("192.168.0.0", 16),
            Range.of("198.18.0.0", 15),
            Range.of("198.51.100.0", 24),
            Range.of("203.0.113.0", 24),
            Range.of("224.0.0.0", 3),
            Range.of("2001::", 23),
            Range.of("2001:db8::", 32),
            Range.of("2002::", 16),
            Range.of("3fff::", 20));

    private static final Range GLOBAL_IPV6 = Range.of("2000::", 3);
    private static final Range NAT64 = Range.of("64:ff9b::", 96);

    private AddressRules() {}

    public static boolean isPublic(InetAddress address) {
        var bytes = address.getAddress();
        if (NAT64.holds(bytes)) {
            var inner = new byte[4];
            System.arraycopy(bytes, 12, inner, 0, 4);
            return NOT_PUBLIC.stream().noneMatch(range -> range.holds(inner));
        }
        if (bytes.length == 16 && !GLOBAL_IPV6.holds(bytes)) {
            return false;
        }
        return NOT_PUBLIC.stream().noneMatch(range -> range.holds(bytes));
    }

    /// All addresses that begin with the same bits.
    private record Range(List<Byte> start, int bits) {

        static Range of(String literal, int bits) {
            var bytes = InetAddress.ofLiteral(literal).getAddress();
            var start = new java.util.ArrayList<Byte>();
            for (var b : bytes) {
                start.add(b);
            }
            return new Range(List.copyOf(start), bits);
        }

        boolean holds(byte[] address) {
            if (address.length != start.size()) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit % 8);
                if ((address[bit / 8] & mask) != (start.get(bit / 8) & mask)) {
                    return false;
                }
            }
            return true;
        }
    }
}
