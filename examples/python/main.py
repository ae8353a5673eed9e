"""A whole application in one file: people sign in, connect accounts, see profile, posts and metrics, and disconnect again."""
import hashlib, os, re, secrets, time
from datetime import datetime, timedelta, timezone
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import accounts_client as api
import httpx
from standardwebhooks import Webhook, WebhookVerificationError

PUBLIC_URL, TENANT = os.environ["PUBLIC_URL"], os.environ["TENANT_KEY"]
SECURE = "; Secure" if PUBLIC_URL.startswith("https:") else ""
WEBHOOKS = [Webhook(secret) for secret in os.environ.get("WEBHOOK_SECRETS", "").split()]  # Two while you rotate.
http = httpx.Client(headers={"authorization": f"Bearer {os.environ['SERVICE_API_KEY']}"}, timeout=10)
service = api.Client(os.environ["SERVICE_GRAPHQL_URL"], http_client=http)

PLATFORMS = {"PROVIDER_A": "YouTube", "PROVIDER_B": "TikTok", "PROVIDER_C": "Instagram"}
CAPABILITIES = [api.Capability.PROFILE, api.Capability.CONTENT_LIST, api.Capability.CONTENT_METRICS]
UNFINISHED = ("CREATED", "AUTHORIZING", "EXCHANGING", "PENDING", "QUEUED", "RUNNING")
ADVICE = {
    "UNAUTHENTICATED": "Something is wrong on our side.",  # The key is missing, wrong, revoked or expired: alert your team.
    "FORBIDDEN": "This is not possible at the moment. After a disconnect, please try again later.",
    "NOT_FOUND": "It does not exist, or it was disconnected.",
    "BAD_USER_INPUT": "Please check your input. {message}",
    "AUTHORIZATION_SUSPENDED": "This account is on hold. Please try again in some minutes.",
    "RECONNECT_REQUIRED": "The access has ended. Please connect the account again.",
    "CAPABILITY_UNAVAILABLE": "This account does not allow it. Please connect it again, and keep every box ticked.",
    "DISCONNECT_IN_PROGRESS": "This account is being disconnected. After that you can connect it as new.",
    "RATE_LIMITED": "Too many attempts. Please try again in {seconds} seconds.",
    "SYNC_WINDOW_BUSY": "We are already reading this account.",
    "UPSTREAM_UNAVAILABLE": "Please try again in a minute.",
}
# What people agree to, above the buttons that connect; the links are on every page. Put your own purpose and addresses here.
CONSENT = """<p>This application reads the profile, the posts and their counts, to show them to you. It uses YouTube API Services.
By connecting you agree to the privacy policy, the terms and the YouTube Terms of Service. You can disconnect here at any time.</p>"""
FOOTER = """<footer><a href="https://app.example/privacy">Privacy policy</a> <a href="https://app.example/terms">Terms</a>
<a href="https://www.youtube.com/t/terms">YouTube Terms of Service</a>
<a href="https://policies.google.com/privacy">Google Privacy Policy</a></footer>"""
BACK = '<p><a href="/">Back</a></p>'
sessions = {}  # By the id in the cookie. Keep them where all your processes find them, and end idle ones.
events = {}  # The number and type of each connection's newest event: events can arrive twice and out of order.


class Refusal(Exception):
    """Why an operation failed. Without a code, as with HTTP 413 or no answer, the code is UPSTREAM_UNAVAILABLE."""

    def __init__(self, error):
        first = {}
        if isinstance(error, api.GraphQLClientGraphQLMultiError):
            first = error.errors[0].original
        elif isinstance(error, api.GraphQLClientHttpError) and error.status_code == 400:  # As BAD_USER_INPUT has.
            first = error.response.json()["errors"][0]
        self.message, self.extensions = first.get("message"), first.get("extensions", {})
        self.code = self.extensions.get("code", "UPSTREAM_UNAVAILABLE")

    def page(self, more=""):
        advice = ADVICE.get(self.code, "Something went wrong.")  # The service may add codes.
        text = escape(advice.format(seconds=self.extensions.get("retryAfterSeconds", 60), message=self.message))
        return page(self.code, f"<p>{text}</p><p>Id: {self.extensions.get('correlationId')}</p>{more}{BACK}", 502)


def ask(operation, *arguments, **more):
    """Calls an operation, and again while the service does not answer: all but two kinds are safe to repeat."""
    pauses = [] if operation.__name__.startswith(("create", "redeem")) else [0.5, 1, 2]
    while True:
        try:
            return operation(*arguments, **more)
        except (api.GraphQLClientError, httpx.HTTPError) as error:
            refusal = Refusal(error)
            if refusal.code != "UPSTREAM_UNAVAILABLE" or not pauses:
                raise refusal from error
            time.sleep(pauses.pop(0))


def ended(operation, *arguments, tries=200):
    """Reads every 0.3 seconds, for a minute. A revoke can take three days: then tell your user to come back."""
    while (result := ask(operation, *arguments)).status in UNFINISHED and (tries := tries - 1):
        time.sleep(0.3)
    return result


def scan(scope, connection_id, window):
    """Reads all posts of a window, a hundred in each job. If another scan runs, it waits for that one first."""
    more = {"window": window}
    while True:
        try:
            job = ended(service.sync_job, scope, connection_id, ask(service.request_refresh, scope, connection_id, **more).id)
            if job.continuation_cursor is None:
                return job
            more = {"continuation_cursor": job.continuation_cursor}
        except Refusal as refusal:
            if refusal.code != "SYNC_WINDOW_BUSY":
                raise
            ended(service.sync_job, scope, connection_id, refusal.extensions["jobId"])


def days_before(instant, days=90):
    instant = instant or datetime.now(timezone.utc)
    return {"publishedAfter": instant - timedelta(days), "publishedBefore": instant}


def page(title, body, status=200, forms="", script="'none'"):
    policy = f"default-src 'none'; script-src {script}; form-action 'self' {forms}; frame-ancestors 'none'"
    headers = {"content-security-policy": policy, "cache-control": "no-store", "referrer-policy": "strict-origin"}
    html = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><h1>{escape(title)}</h1>'
    return status, {"content-type": "text/html; charset=utf-8", **headers}, html + body + FOOTER


def button(action, name, field=""):
    return f'<form method="post" action="{escape(action)}">{field}<button>{name}</button></form>'


def launch(started):
    """The form that takes this browser to the service, whose page leads on to the platform."""
    nonce, origin = secrets.token_hex(), "{0.scheme}://{0.netloc}".format(urlsplit(started.launch_url))
    form = button(started.launch_url, "Continue", f'<input type="hidden" name="launchToken" value="{started.launch_token}">')
    form += f'<script nonce="{nonce}">document.forms[0].submit();document.querySelector("button").disabled=true</script>'
    return page("One moment", form, 200, origin, f"'nonce-{nonce}'")


def own_return(query, expected):
    """Otherwise an attacker signs your user in as himself, or links his account to your user."""
    return query.get("ss_session_id") in [[id] for id in expected]


def name_of(connection):
    return connection.profile and connection.profile.display_name or PLATFORMS[connection.provider]


def list_accounts(scope):
    try:
        lines = [(one.id, name_of(one), one.status.value) for one in ask(service.connections, scope, 100).items]
    except Refusal as refusal:  # One account that fails its check fails the list: it can be disconnected.
        if "connectionId" not in refusal.extensions:
            raise
        lines = [(refusal.extensions["connectionId"], "Account", refusal.code)]
    links = [f'<li><a href="/accounts/{id}">{escape(name)}</a> ({status})</li>' for id, name, status in lines]
    buttons = [button(f"/connect?at={provider}", f"Connect {name}") for provider, name in PLATFORMS.items()]
    return page("Your accounts", f"<ul>{''.join(links)}</ul>{CONSENT}{''.join(buttons)}")


def show_account(scope, id, days):
    last = f"<p>Last event: {events.get(id, (0, 'none'))[1]}</p>" + button(f"/accounts/{id}/disconnect", "Disconnect")
    try:
        found = ask(service.connection, scope, id)
        if found.status != "CONNECTED":
            again = button(f"/connect?at={found.provider.value}&again={id}", "Reconnect")
            return page(name_of(found), f"<p>{found.status.value}</p>{again}{last}")
        # Up to the start of the last scan: the service has not read what was published later.
        window = days_before(found.last_successful_sync_at, days)
        content = ask(service.content, scope, id, api.ContentWindow(**window, first=20))
    except Refusal as refusal:
        return refusal.page("" if refusal.code == "NOT_FOUND" else last)
    posts = ""
    for post in content.items:
        counts = ", ".join(f"{one.name.value} {'unknown' if one.value is None else one.value}" for one in post.metrics)
        posts += f"<li>{escape(post.title or post.description or 'Untitled')}: {counts}</li>"
    note = content.page_info.incomplete_reason or "The newest posts"
    return page(name_of(found), f"<p>{note}</p><ol>{posts}</ol>{button(f'/accounts/{id}/refresh', 'Refresh')}{last}")


def take_webhook(body, headers):
    for webhook in WEBHOOKS if len(body) <= 65_536 else []:
        try:
            event = webhook.verify(body, headers)
        except WebhookVerificationError:
            continue
        id, number = event["data"]["connectionId"], event["data"]["sequence"]
        if id and number > events.get(id, (0,))[0]:
            events[id] = (number, event["type"])
        return 204, {}, ""
    return 400 if len(body) <= 65_536 else 413, {}, ""


def route(session, method, url):
    """Answers a browser. A session with `renew` gets a new id, which nobody else can know."""
    path, query = url.path.strip("/").split("/"), parse_qs(url.query)
    match [method, *path]:
        case ["POST", "sign-in"]:
            wanted = api.IdpIdentityInput(tenantKey=TENANT, returnUrl=f"{PUBLIC_URL}/sign-in/return")
            session.update(renew=True, sign_in=ask(service.create_idp_identity_session, wanted))
            return launch(session["sign_in"])
        case ["GET", "sign-in", "return"]:
            started = session.get("sign_in")
            if started is None or not own_return(query, [started.id]):
                return page("This link is invalid", BACK, 403)
            result = ended(service.redeem_idp_identity_result, started.id, TENANT, started.result_proof)
            if result.status != "COMPLETED":
                return page("Not signed in", f"<p>Please try again.</p>{BACK}", 403)
            pair = f"{result.issuer}\n{result.idp_sub}"  # The pair names a person for ever; an e-mail address does not.
            session.update(renew=True, sign_in=None, user=hashlib.sha256(pair.encode()).hexdigest())
            return 303, {"location": "/"}, ""
    if "user" not in session:
        return page("Sign in", button("/sign-in", "Sign in")) if path == [""] else page("Not signed in", BACK, 403)

    scope = api.SubjectScope(tenantKey=TENANT, externalSubjectId=session["user"])  # Never from the request.
    match [method, *path]:
        case ["GET", ""]:
            return list_accounts(scope)
        case ["POST", "connect"] if query.get("at", [""])[0] in PLATFORMS:
            target = {"provider": query["at"][0], "reconnectConnectionId": query.get("again", [None])[0]}
            target |= {"scope": scope, "capabilities": CAPABILITIES, "returnUrl": f"{PUBLIC_URL}/connect/return"}
            started = ask(service.create_connect_session, api.ConnectInput(**target))
            session["attempts"].append(started.id)
            return launch(started)
        case ["GET", "connect", "return"]:
            if not own_return(query, session["attempts"]):
                return page("This link is invalid", BACK, 403)
            result = ended(service.connect_session_result, scope, query["ss_session_id"][0])
            if result.connection_id is None:
                return page("Not connected", f"<p>{result.status.value}: {result.result_code}</p>{BACK}")
            return 303, {"location": f"/accounts/{result.connection_id}"}, ""
        case ["GET", "accounts", id] if (days := query.get("days", ["90"])[0]).isdecimal():
            return show_account(scope, id, int(days))
        case ["POST", "accounts", id, "refresh"]:
            job = scan(scope, id, api.SyncWindow(**days_before(None)))
            if job.status == "SUCCEEDED":
                return 303, {"location": f"/accounts/{id}"}, ""
            return page("Not refreshed", f"<p>{job.error_code}</p>{BACK}")
        case ["POST", "accounts", id, "disconnect"]:
            receipts = ask(service.disconnect_connection, scope, id)
            jobs = (receipts.revoke_job_id, receipts.erase_job_id)
            revoke, erase = (ended(service.sync_job, scope, id, job) for job in jobs)
            note = "<p>Please remove the app at the platform, too.</p>" if revoke.creator_action else ""
            return page("Disconnected", f"<p>Access: {revoke.status.value}. Data: {erase.status.value}.</p>{note}{BACK}")
    return page("Not found", BACK, 404)


class App(BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.rfile.read(min(int(self.headers.get("content-length") or 0), 65_537))
        [id] = re.findall(r"(?:^|; )session=(\w+)", self.headers.get("cookie") or "")[:1] or [""]
        session = sessions.get(id, {"attempts": []})
        try:
            webhook = self.path == "/webhooks"
            reply = take_webhook(body, self.headers) if webhook else route(session, self.command, urlsplit(self.path))
        except Refusal as refusal:
            reply = refusal.page()
        if session.pop("renew", False):
            sessions.pop(id, None)
            sessions[id := secrets.token_hex()] = session
            # `SameSite=Lax`: no other site can send our forms with this cookie.
            reply[1]["set-cookie"] = f"session={id}; HttpOnly; SameSite=Lax; Path=/{SECURE}"
        status, headers, text = reply
        self.send_response(status)
        for header in headers.items():
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(text.encode())

    do_POST = do_GET


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8071"))), App).serve_forever()
