import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A world of the Whereabouts mock server for tests in Java 17 or newer, without any dependency: {@code java Whereabouts.java} plays the
 * example in {@code main}. Responses are the JSON text of the server; give it to the JSON library that your project has.
 */
public final class Whereabouts implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String server;
  private final String id;

  /** An error response: its status, its body, and the error's name in it, such as {@code validation_error}. */
  public static final class RequestFailed extends RuntimeException {
    public final int status;
    public final String code;
    public final String answer;

    RequestFailed(String method, String path, int status, String answer) {
      super(method + " " + path + ": " + status + " " + answer);
      this.status = status;
      this.answer = answer;
      this.code = find(answer, "code").orElse("");
    }
  }

  /** Token of a server that was started with a {@code CONTROL_TOKEN}; by default that of the environment. */
  public static String controlToken = System.getenv("CONTROL_TOKEN");

  /** Creates a world from a scenario, such as {@code family}; its clock stands still. */
  public Whereabouts(String server, String scenario) {
    this.server = server;
    this.id = field(send(server, null, "POST", "/mock/worlds", "{\"scenario\":\"%s\"}".formatted(scenario), controlToken), "id");
  }

  /** Removes the world with all its data. */
  @Override
  public void close() {
    var unused = control("GET", "/mock/faults/unused", null);
    if (!unused.equals("[]")) System.err.println("Faults without effect: " + unused);
    control("DELETE", "/mock/worlds/" + id, null);
  }

  /** Sends a request to the control plane in this world; the body is JSON or null. */
  public String control(String method, String path, String body) {
    return send(server, id, method, path, body, controlToken);
  }

  /** Sends a request to the documented API in this world; the token is that of a session, null without one. */
  public String api(String token, String method, String path, String body) {
    return send(server, id, method, path, body, token);
  }

  /** Signs a persona in without the form; returns the token of the new session, which survives leaps of any length. */
  public String signIn(String persona) {
    return field(control("POST", "/mock/login", "{\"persona\":\"%s\"}".formatted(persona)), "token");
  }

  public Instant now() {
    return Instant.parse(field(control("GET", "/mock/clock", null), "now"));
  }

  /** Moves the clock; mails, renewals and reports that fall due on the way happen in order. */
  public void advance(Duration by) {
    control("POST", "/mock/clock/advance", "{\"by\":\"P%dDT%dS\"}".formatted(by.toDays(), by.toSeconds() % 86_400));
  }

  /** Moves the clock to the next event, such as {@code renewal}, {@code subscription_end}, {@code link_end} or {@code position}. */
  public void until(String event) {
    control("POST", "/mock/clock/until", "{\"event\":\"%s\"}".formatted(event));
  }

  /** Waits up to five seconds for a mail to an address and returns the newest, with {@code links} and {@code codes}. */
  public String waitForMail(String to, String template) {
    return control("POST", "/mock/mail/wait", "{\"to\":\"%s\",\"template\":\"%s\"}".formatted(to, template));
  }

  /** Makes the next call of an endpoint, such as {@code places.list}, fail with a status. */
  public void fail(String route, int status) {
    var fault = "{\"effect\":\"status\",\"match\":{\"route\":\"%s\"},\"status\":%d,\"times\":1}";
    control("POST", "/mock/faults", fault.formatted(route, status));
  }

  /** Pays a checkout of {@code POST /users/payment_session/} with {@code success}, {@code declined} or the number of a test card. */
  public String pay(String checkout, String card) {
    return control("POST", "/mock/payments/checkout/" + checkout + "/complete", "{\"card\":\"%s\"}".formatted(card));
  }

  /** Reports a position of a tracker now, through the same code as a real one. */
  public void position(int tracker, double lat, double lng) {
    control("POST", "/mock/sim/trackers/" + tracker + "/position", "{\"lat\":%s,\"lng\":%s}".formatted(lat, lng));
  }

  /** Returns the first text of that name in a response; a JSON library does this better. */
  public static String field(String json, String name) {
    return find(json, name).orElseThrow(() -> new IllegalArgumentException("no text " + name + " in " + json));
  }

  private static Optional<String> find(String json, String name) {
    var match = Pattern.compile("\"%s\":\"((?:[^\"\\\\]|\\\\.)*)\"".formatted(Pattern.quote(name))).matcher(json);
    return match.find() ? Optional.of(match.group(1)) : Optional.empty();
  }

  private static String send(String server, String world, String method, String path, String body, String token) {
    var request = HttpRequest.newBuilder(URI.create(server + path)).timeout(Duration.ofSeconds(70));
    if (world != null) request.header("X-World", world);
    if (token != null) request.header("Authorization", "Bearer " + token);
    if (body != null) request.header("Content-Type", "application/json");
    request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    HttpResponse<String> response;
    try {
      response = HTTP.send(request.build(), BodyHandlers.ofString());
    } catch (IOException error) {
      var isDown = error instanceof java.net.ConnectException;
      var words = isDown ? "No server answers at " + server + ": start one with `npx whereabouts up`" : "no response from " + server;
      throw new IllegalStateException(words + ". The call was " + method + " " + path, error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
    if (response.statusCode() >= 400) throw new RequestFailed(method, path, response.statusCode(), response.body());
    return response.body();
  }

  /** The example: a renewal with its receipt, a fault, a refused card, a position. */
  public static void main(String[] arguments) {
    var server = Optional.ofNullable(System.getenv("WHEREABOUTS_URL")).orElse("http://127.0.0.1:8080");
    try (var world = new Whereabouts(server, "expiring")) {
      var start = world.now();
      world.until("renewal");
      world.advance(Duration.ofHours(1));
      check("a day and an hour have passed", Duration.between(start, world.now()).toHours() == 25);
      check("the renewal mails a receipt", world.waitForMail("alice@example.com", "receipt").contains("Receipt"));

      var alice = world.signIn("alice");
      world.fail("places.list", 503);
      check("the fault answers 503 once", fails(() -> world.api(alice, "GET", "/tracker_places/", null), 503, "unavailable"));
      check("then the server answers", world.api(alice, "GET", "/tracker_places/", null).startsWith("[{"));

      var items = "{\"items\":[{\"device\":2,\"price\":\"eur-12m-once\"}]}";
      var checkout = field(world.api(alice, "POST", "/users/payment_session/", items), "id");
      check("a declined card is refused", field(world.pay(checkout, "declined"), "outcome").equals("refused"));
      check("another card pays", field(world.pay(checkout, "success"), "outcome").equals("paid"));

      world.position(1, -34.9055, -56.1913);
      check("the position is in the history", world.api(alice, "GET", "/devices/1/tracker_data/", null).contains("\"lat\":-34.9055"));
    }
  }

  private static boolean fails(Runnable call, int status, String code) {
    try {
      call.run();
      return false;
    } catch (RequestFailed error) {
      return error.status == status && error.code.equals(code);
    }
  }

  private static void check(String what, boolean holds) {
    if (!holds) throw new AssertionError(what);
    System.out.println("ok: " + what);
  }
}
