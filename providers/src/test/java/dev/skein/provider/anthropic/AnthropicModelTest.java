package dev.skein.provider.anthropic;

import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.Secret;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.testkit.provider.AnthropicWire;
import dev.skein.testkit.provider.ModelContract;
import dev.skein.testkit.provider.Wire;
import java.net.URI;

class AnthropicModelTest extends ModelContract {

    @Override
    protected Wire wire() {
        return new AnthropicWire();
    }

    @Override
    protected Model model(URI baseUrl) {
        var info = ModelInfo.unknown(new ModelName("anthropic", "test"));
        return new AnthropicModel(info, new Endpoint(baseUrl, new Secret(KEY)), StreamingHttp.newClient());
    }
}
