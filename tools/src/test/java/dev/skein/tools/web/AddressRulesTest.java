package dev.skein.tools.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.tools.call.Refused;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {

    private static final Destination.Resolver JDK = host -> List.of(InetAddress.getAllByName(host));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.9.1",
                "0.0.0.0",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "192.0.0.192",
                "198.18.0.1",
                "224.0.0.1",
                "239.1.1.1",
                "240.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fc00::1",
                "fd00:ec2::254",
                "ff02::1",
                "::ffff:127.0.0.1",
                "::ffff:a9fe:a9fe",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b::a9fe:a9fe",
                "2002:7f00:1::",
                "2001:0:1::1",
                "2001:db8::1",
                "fec0::1",
                "100::1"
            })
    void these_are_not_public(String literal) {
        assertThat(AddressRules.isPublic(InetAddress.ofLiteral(literal))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "93.184.215.14",
                "172.15.0.1",
                "172.32.0.1",
                "100.128.0.1",
                "192.169.0.1",
                "223.255.255.1",
                "2606:2800:220:1::1",
                "2a00:1450:4001::1",
                "64:ff9b::101:101"
            })
    void these_are(String literal) {
        assertThat(AddressRules.isPublic(InetAddress.ofLiteral(literal))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://localhost/",
                "http://LOCALHOST:8080/",
                "http://[::1]/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::ffff:7f00:1]/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0177.0.0.1/",
                "http://127.1/",
                "http://0/",
                "http://127.0.0.1./",
                "http://169.254.169.254/latest",
                "http://[fe80::1%25eth0]/",
                "http://user:pass@1.1.1.1/",
                "http://user@1.1.1.1/",
                "http://1.1.1.1@127.0.0.1/",
                "file:///etc/passwd",
                "ftp://1.1.1.1/",
                "gopher://1.1.1.1/",
                "jar:http://1.1.1.1!/",
                "//1.1.1.1/",
                "http:///path",
                "http://",
                "http:1.1.1.1",
                "not a url",
                "http://1.1.1.1:99999/",
                "http://1.1.1.1:0/",
                "http://a_b/",
                "http://1.1.1.1\\@127.0.0.1/",
                "http://\u2460\u2461\u2466.0.0.1/"
            })
    void these_urls_are_refused(String url) {
        assertThatThrownBy(() -> Destination.of(url, AddressRules::isPublic, JDK))
                .isInstanceOf(Refused.class)
                .message()
                .isNotBlank();
    }

    @Test
    void one_private_address_among_public_ones_is_enough_to_refuse() {
        Destination.Resolver mixed = _ -> List.of(InetAddress.ofLiteral("1.1.1.1"), InetAddress.ofLiteral("10.0.0.1"));

        assertThatThrownBy(() -> Destination.of("https://mixed.example/", AddressRules::isPublic, mixed))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("10.0.0.1");
    }

    @Test
    void a_public_url_is_taken_as_it_is_with_the_address_that_was_checked() throws Exception {
        var destination = Destination.of(
                "HTTPS://Example.org/a%20b?q=1#part",
                AddressRules::isPublic, _ -> List.of(InetAddress.ofLiteral("1.1.1.1")));

        assertThat(destination.address()).isEqualTo(InetAddress.ofLiteral("1.1.1.1"));
        assertThat(destination.target()).isEqualTo("/a%20b?q=1");
        assertThat(destination.port()).isEqualTo(443);
    }
}
