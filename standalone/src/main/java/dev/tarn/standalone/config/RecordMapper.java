package dev.tarn.standalone.config;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.MutableConfigOverride;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Configures Jackson for configuration records. A component's key is lower case with hyphens. The
 * tree holds the values as Java objects, since {@link ValueFormat} parses the text. The records
 * carry no Jackson annotations: most of them belong to modules that do not use Jackson.
 */
final class RecordMapper {
  private RecordMapper() {}

  /** A mapper that collects all problems instead of failing at the first one. */
  static ObjectMapper of(Problems problems) {
    SimpleModule values = new SimpleModule();
    ValueFormat.types().forEach(type -> addValue(values, type, problems));
    return JsonMapper.builder()
        .addModules(new Jdk8Module(), values)
        .propertyNamingStrategy(new KeyNames())
        .addHandler(new RefusedByConstructor(problems))
        .withConfigOverride(List.class, RecordMapper::emptyWhereAbsent)
        .withConfigOverride(Map.class, RecordMapper::emptyWhereAbsent)
        .build();
  }

  private static void emptyWhereAbsent(MutableConfigOverride type) {
    type.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
  }

  private static <T> void addValue(SimpleModule values, Class<T> type, Problems problems) {
    values.addSerializer(type, new Writer<T>());
    values.addDeserializer(type, new Reader<T>("", problems));
  }

  private static final class KeyNames extends PropertyNamingStrategies.NamingBase {
    private static final long serialVersionUID = 1;

    @Override
    public String translate(String component) {
      return ComponentName.of(component).key();
    }
  }

  private static final class Writer<T> extends JsonSerializer<T> {
    @Override
    public void serialize(T value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeEmbeddedObject(value);
    }
  }

  private static final class Reader<T> extends JsonDeserializer<T>
      implements ContextualDeserializer {
    private final String key;
    private final Problems problems;

    Reader(String key, Problems problems) {
      this.key = key;
      this.problems = problems;
    }

    @Override
    public JsonDeserializer<T> createContextual(
        DeserializationContext context, @Nullable BeanProperty property) {
      return property == null ? this : new Reader<>(property.getName(), problems);
    }

    @Override
    @SuppressWarnings("unchecked") // The binder has put a value of the component's type there.
    public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return (T) in.getEmbeddedObject();
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
      problems.missing(Problems.key(context.getParser()) + "." + key);
      return null;
    }
  }

  /** Adds a problem when a record's constructor rejects its components. */
  private static final class RefusedByConstructor extends DeserializationProblemHandler {
    private final Problems problems;

    RefusedByConstructor(Problems problems) {
      this.problems = problems;
    }

    @Override
    public @Nullable Object handleInstantiationProblem(
        DeserializationContext context,
        Class<?> type,
        @Nullable Object argument,
        Throwable problem) {
      Throwable cause = Optional.ofNullable(problem.getCause()).orElse(problem);
      problems.refused(Problems.key(context.getParser()), type, String.valueOf(cause.getMessage()));
      return null;
    }
  }
}
