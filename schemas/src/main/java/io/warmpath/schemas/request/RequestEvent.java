package io.warmpath.schemas.request;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.warmpath.schemas.WarmpathRecord;

/** What a balancer says of one request, in the order in which it happens. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Routed.class, name = "routed"),
  @JsonSubTypes.Type(value = AttemptFailed.class, name = "attempt_failed"),
  @JsonSubTypes.Type(value = FirstToken.class, name = "first_token"),
  @JsonSubTypes.Type(value = Finished.class, name = "finished")
})
@JsonPropertyOrder("v")
public sealed interface RequestEvent extends WarmpathRecord
    permits Routed, AttemptFailed, FirstToken, Finished {

  /** Whose request it is, where it stands and who says so. */
  RequestContext context();
}
