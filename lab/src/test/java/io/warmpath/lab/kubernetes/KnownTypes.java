package io.warmpath.lab.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.warmpath.lab.compose.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The types that a cluster knows: Kubernetes' own and the Prometheus operator's by the classes of
 * fabric8's client, FlinkDeployment by the definition in the jar of the operator's API. A field
 * that a type does not have is a fault, as it is for {@code kubectl apply}.
 */
final class KnownTypes {

  private static final String FLINK = "flink.apache.org/v1beta1/FlinkDeployment";
  private static final String DEFINITION =
      "/META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml";

  private static final Map<String, Class<?>> CLASSES =
      Map.ofEntries(
          Map.entry("v1/ConfigMap", ConfigMap.class),
          Map.entry("v1/Namespace", Namespace.class),
          Map.entry("v1/PersistentVolumeClaim", PersistentVolumeClaim.class),
          Map.entry("v1/Secret", Secret.class),
          Map.entry("v1/Service", io.fabric8.kubernetes.api.model.Service.class),
          Map.entry("v1/ServiceAccount", ServiceAccount.class),
          Map.entry("apps/v1/Deployment", Deployment.class),
          Map.entry("apps/v1/StatefulSet", StatefulSet.class),
          Map.entry("autoscaling/v2/HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
          Map.entry("batch/v1/Job", Job.class),
          Map.entry("networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class),
          Map.entry("policy/v1/PodDisruptionBudget", PodDisruptionBudget.class),
          Map.entry("rbac.authorization.k8s.io/v1/Role", Role.class),
          Map.entry("rbac.authorization.k8s.io/v1/RoleBinding", RoleBinding.class),
          Map.entry("monitoring.coreos.com/v1/PodMonitor", PodMonitor.class),
          Map.entry("monitoring.coreos.com/v1/ServiceMonitor", ServiceMonitor.class));

  /** As the client's own, but what would be kept as an additional property is unknown. */
  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .annotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public Boolean hasAnySetter(Annotated member) {
                  return false;
                }
              })
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private final Schema flink;

  KnownTypes() throws IOException {
    flink = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(definition());
  }

  private static JsonNode definition() throws IOException {
    try (InputStream file = KnownTypes.class.getResourceAsStream(DEFINITION)) {
      JsonNode resource =
          new ObjectMapper()
              .valueToTree(Yaml.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8)));
      JsonNode schema = resource.at("/spec/versions/0/schema/openAPIV3Schema");
      close(schema);
      // What every object has is not part of the definition.
      ObjectNode own = (ObjectNode) schema.get("properties");
      own.putObject("apiVersion").put("type", "string");
      own.putObject("kind").put("type", "string");
      own.putObject("metadata").put("type", "object");
      return schema;
    }
  }

  /** Makes a schema of OpenAPI, where unknown fields are pruned, one where they are refused. */
  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode object
        && object.path("properties").isObject()
        && !object.has("additionalProperties")
        && !object.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
      object.put("additionalProperties", false);
    }
    if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
      ((ObjectNode) schema).remove("type");
    }
    schema.forEach(KnownTypes::close);
  }

  /** What is wrong with an object; empty if nothing. */
  List<String> faults(ObjectNode object) {
    String type = object.path("apiVersion").asText() + "/" + object.path("kind").asText();
    if (type.equals(FLINK)) {
      return flink.validate(object).stream().map(Object::toString).toList();
    }
    Class<?> known = CLASSES.get(type);
    if (known == null) {
      return List.of("unknown type " + type);
    }
    try {
      STRICT.treeToValue(object, known);
      return List.of();
    } catch (JsonProcessingException e) {
      return List.of(e.getOriginalMessage());
    }
  }
}
