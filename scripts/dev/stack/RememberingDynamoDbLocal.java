import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;

/**
 * Starts DynamoDB Local with a cache for parsed table definitions. Without it, DynamoDB Local
 * parses the definition (23 KB of JSON for this service's table) several times per item and call,
 * which takes five sixths of the time spent in its own code.
 *
 * <p>Runs from source and accepts DynamoDB Local's own arguments.
 */
public final class RememberingDynamoDbLocal {
  private static final String STORAGE =
      "software.amazon.dynamodb.services.local.shared.access.sqlite.";

  private RememberingDynamoDbLocal() {}

  public static void main(String[] arguments) throws Exception {
    for (String reader : List.of("SQLiteDBAccess", "SQLiteDBAccessJob")) {
      Field mapper = Class.forName(STORAGE + reader).getDeclaredField("MAPPER");
      mapper.setAccessible(true);
      remember((ObjectMapper) mapper.get(null));
    }
    ServerRunner.main(arguments);
  }

  private static void remember(ObjectMapper mapper) {
    mapper
        .getFactory()
        .configure(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION.mappedFeature(), true);
    mapper.registerModule(
        new SimpleModule().setDeserializerModifier(new RememberedDefinitions()));
  }

  private static final class RememberedDefinitions extends BeanDeserializerModifier {
    @Override
    public JsonDeserializer<?> modifyDeserializer(
        DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> deserializer) {
      return bean.getBeanClass() == TableSchemaInfo.class
          ? new RememberingDeserializer(deserializer)
          : deserializer;
    }
  }

  /** Caches only the last definition, because all tables of a test run share one. */
  private static final class RememberingDeserializer extends DelegatingDeserializer {
    private volatile Definition last = new Definition(new byte[0], new TableSchemaInfo(), null);

    private RememberingDeserializer(JsonDeserializer<?> deserializer) {
      super(deserializer);
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> deserializer) {
      return new RememberingDeserializer(deserializer);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      byte[] json =
          (byte[]) parser.currentTokenLocation().contentReference().getRawContent();
      Definition known = last;
      if (known.isOf(json)) {
        return known.schema;
      }
      TableSchemaInfo schema = (TableSchemaInfo) super.deserialize(parser, context);
      last = new Definition(json, schema, schema.getTimeToLiveAttributeName());

      return schema;
    }
  }

  private record Definition(byte[] json, TableSchemaInfo schema, String timeToLiveAttribute) {
    /** Compares the TTL attribute too: a call that sets a table's TTL changes the parsed schema. */
    boolean isOf(byte[] candidate) {
      return Arrays.equals(candidate, json)
          && Objects.equals(schema.getTimeToLiveAttributeName(), timeToLiveAttribute);
    }
  }
}
