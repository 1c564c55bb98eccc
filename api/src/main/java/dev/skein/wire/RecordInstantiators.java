package dev.skein.wire;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;

/// Makes records through a handle that is bent into shape once. Jackson bends it anew for every record it
/// reads, which takes a fifth of the time that reading a session does.
final class RecordInstantiators extends ValueInstantiators.Base {

    /// Adds this to a mapper.
    static void install(JacksonModule.SetupContext context) {
        context.addValueInstantiators(new RecordInstantiators());
    }

    @Override
    public ValueInstantiator modifyValueInstantiator(
            DeserializationConfig config, BeanDescription.Supplier description, ValueInstantiator found) {
        return found instanceof StdValueInstantiator standard
                        && description.getBeanClass().isRecord()
                        && standard.getWithArgsCreator() != null
                        && standard.getWithArgsCreator().getAnnotated() instanceof Constructor<?> constructor
                ? new ByHandle(standard, constructor)
                : found;
    }

    private static final class ByHandle extends StdValueInstantiator {
        private final @Nullable MethodHandle make;

        ByHandle(StdValueInstantiator standard, Constructor<?> constructor) {
            super(standard);
            this.make = handle(constructor);
        }

        private static @Nullable MethodHandle handle(Constructor<?> constructor) {
            try {
                return MethodHandles.lookup()
                        .unreflectConstructor(constructor)
                        .asSpreader(Object[].class, constructor.getParameterCount())
                        .asType(MethodType.methodType(Object.class, Object[].class));
            } catch (IllegalAccessException _) {
                return null; // not ours to make; Jackson has its ways
            }
        }

        @Override
        public Object createFromObjectWith(DeserializationContext context, Object[] arguments) throws JacksonException {
            if (make == null) {
                return super.createFromObjectWith(context, arguments);
            }
            try {
                return make.invokeExact(arguments);
            } catch (RuntimeException e) {
                return context.handleInstantiationProblem(_valueClass, arguments, rewrapCtorProblem(context, e));
            } catch (Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("a record's constructor throws nothing else", e);
            }
        }
    }
}
