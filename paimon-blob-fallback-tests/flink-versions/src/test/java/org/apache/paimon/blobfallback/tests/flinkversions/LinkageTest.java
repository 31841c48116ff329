/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package org.apache.paimon.blobfallback.tests.flinkversions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** All that the package {@code flink} of the plugin refers to exists in each version of Flink. */
@EnabledIf("connectorsAreThere")
class LinkageTest {

    private static final String PACKAGE = "org/apache/paimon/blobfallback/flink";

    @ParameterizedTest
    @EnumSource
    void everyReferenceExists(FlinkVersion version) throws Exception {
        try (URLClassLoader loader = loader(version)) {
            References references = new References(loader);
            for (Path file : classFiles()) {
                references.check(file);
            }
            assertThat(references.missing).isEmpty();
            assertThat(references.checked).isGreaterThan(500);
        }
    }

    /** A method that a version does not know is never called there, which no linker notices. */
    @ParameterizedTest
    @EnumSource
    void theSameMethodsAreOverridden(FlinkVersion version) throws Exception {
        Set<String> overridden = overridden(version);
        assertThat(overridden).isEqualTo(overridden(FlinkVersion.FLINK_2_0));
        assertThat(overridden).hasSizeGreaterThan(20);
    }

    private static Set<String> overridden(FlinkVersion version) throws Exception {
        Set<String> overridden = new TreeSet<>();
        try (URLClassLoader loader = loader(version)) {
            for (Path file : classFiles()) {
                String name = PACKAGE + "/" + file.getFileName().toString().replace(".class", "");
                Class<?> type = Class.forName(name.replace('/', '.'), false, loader);
                for (Method method : type.getDeclaredMethods()) {
                    String descriptor = Type.getMethodDescriptor(method);
                    boolean inherited =
                            References.withSupertypes(type).stream()
                                    .filter(at -> at != type)
                                    .anyMatch(
                                            at ->
                                                    References.declares(
                                                            at, method.getName(), descriptor));
                    if (inherited && !Modifier.isStatic(method.getModifiers())) {
                        overridden.add(type.getSimpleName() + "." + method.getName() + descriptor);
                    }
                }
            }
        }
        return overridden;
    }

    private static List<Path> classFiles() throws IOException {
        try (Stream<Path> files = Files.list(Runtimes.plugin().resolve(PACKAGE))) {
            List<Path> classes = files.filter(f -> f.toString().endsWith(".class")).toList();
            assertThat(classes).hasSizeGreaterThan(20);
            return classes;
        }
    }

    private static URLClassLoader loader(FlinkVersion version) throws IOException {
        List<URL> classPath = new ArrayList<>();
        classPath.add(Runtimes.plugin().toUri().toURL());
        for (Path jar : version.jars()) {
            classPath.add(jar.toUri().toURL());
        }
        return new URLClassLoader(
                classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    static boolean connectorsAreThere() {
        return FlinkVersion.connectorsAreThere();
    }

    /** What classes refer to, looked up in a class loader. */
    private static final class References extends ClassVisitor {

        private final ClassLoader loader;
        private final Set<String> missing = new TreeSet<>();
        private int checked;
        private String from;

        private References(ClassLoader loader) {
            super(Opcodes.ASM9);
            this.loader = loader;
        }

        private void check(Path file) throws IOException {
            from = file.getFileName().toString().replace(".class", "");
            try (InputStream bytes = Files.newInputStream(file)) {
                new ClassReader(bytes).accept(this, 0);
            }
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                String signature,
                String superName,
                String[] interfaces) {
            Class<?> type = load(name);
            if (type != null && !Modifier.isAbstract(type.getModifiers())) {
                checkComplete(type);
            }
        }

        /** A class of the plugin implements what the version declares. */
        private void checkComplete(Class<?> type) {
            try {
                for (Method method : type.getMethods()) {
                    if (Modifier.isAbstract(method.getModifiers())) {
                        missing.add(from + " does not implement " + method);
                    }
                }
            } catch (NoClassDefFoundError e) {
                missing.add(from + " -> " + e.getMessage());
            }
        }

        @Override
        public FieldVisitor visitField(
                int access, String name, String descriptor, String signature, Object value) {
            load(Type.getType(descriptor));
            return null;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String method,
                String methodDescriptor,
                String signature,
                String[] exceptions) {
            loadAll(methodDescriptor);
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitTypeInsn(int opcode, String type) {
                    load(Type.getObjectType(type));
                }

                @Override
                public void visitFieldInsn(
                        int opcode, String owner, String name, String descriptor) {
                    checkField(owner, name, descriptor);
                }

                @Override
                public void visitMethodInsn(
                        int opcode,
                        String owner,
                        String name,
                        String descriptor,
                        boolean isInterface) {
                    checkMethod(owner, name, descriptor);
                }

                @Override
                public void visitInvokeDynamicInsn(
                        String name, String descriptor, Handle bootstrap, Object... arguments) {
                    loadAll(descriptor);
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) {
                            checkMethod(handle.getOwner(), handle.getName(), handle.getDesc());
                        }
                    }
                }

                @Override
                public void visitLdcInsn(Object value) {
                    if (value instanceof Type type && type.getSort() != Type.METHOD) {
                        load(type);
                    }
                }
            };
        }

        private void loadAll(String methodDescriptor) {
            load(Type.getReturnType(methodDescriptor));
            for (Type argument : Type.getArgumentTypes(methodDescriptor)) {
                load(argument);
            }
        }

        private void load(Type type) {
            Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
            if (element.getSort() == Type.OBJECT) {
                load(element.getInternalName());
            }
        }

        private Class<?> load(String internalName) {
            checked++;
            try {
                return Class.forName(internalName.replace('/', '.'), false, loader);
            } catch (ClassNotFoundException | NoClassDefFoundError e) {
                missing.add(from + " -> " + internalName);
                return null;
            }
        }

        private void checkField(String owner, String name, String descriptor) {
            Class<?> type = load(owner);
            if (type != null && !hasField(type, name, descriptor)) {
                missing.add(from + " -> " + owner + "." + name + " " + descriptor);
            }
        }

        private static boolean hasField(Class<?> type, String name, String descriptor) {
            for (Class<?> at : withSupertypes(type)) {
                for (Field field : at.getDeclaredFields()) {
                    if (field.getName().equals(name)
                            && Type.getDescriptor(field.getType()).equals(descriptor)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private void checkMethod(String owner, String name, String descriptor) {
            loadAll(descriptor);
            if (owner.startsWith("[")) {
                return;
            }
            Class<?> type = load(owner);
            if (type != null && !hasMethod(type, name, descriptor)) {
                missing.add(from + " -> " + owner + "." + name + descriptor);
            }
        }

        private static boolean hasMethod(Class<?> type, String name, String descriptor) {
            if (name.equals("<init>")) {
                for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                    if (Type.getConstructorDescriptor(constructor).equals(descriptor)) {
                        return true;
                    }
                }
                return false;
            }
            return withSupertypes(type).stream().anyMatch(at -> declares(at, name, descriptor));
        }

        private static boolean declares(Class<?> type, String name, String descriptor) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name)
                        && Type.getMethodDescriptor(method).equals(descriptor)) {
                    return true;
                }
            }
            return false;
        }

        private static List<Class<?>> withSupertypes(Class<?> type) {
            List<Class<?>> types = new ArrayList<>();
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                types.add(at);
                for (Class<?> implemented : at.getInterfaces()) {
                    types.addAll(withSupertypes(implemented));
                }
            }
            if (type.isInterface()) {
                types.add(Object.class);
            }
            return types;
        }
    }
}
