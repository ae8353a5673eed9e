// A whole application: people sign in, connect accounts, see profile, posts and metrics, and disconnect again. page.html has its pages.
package main

import (
	"accounts-example/accounts"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/Khan/genqlient/graphql"
	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

var (
	publicUrl, tenant = os.Getenv("PUBLIC_URL"), os.Getenv("TENANT_KEY")
	service           = graphql.NewClient(os.Getenv("SERVICE_GRAPHQL_URL"), keyed{http.Client{Timeout: 10 * time.Second}})
	capabilities      = []accounts.Capability{"PROFILE", "CONTENT_LIST", "CONTENT_METRICS"}
	layout            = template.Must(template.ParseFiles("page.html"))
	accountPath, base = regexp.MustCompile(`^/accounts/([\w-]+)`), regexp.MustCompile(`^https?://[^/]+`)
	unfinished        = regexp.MustCompile("^(CREATED|AUTHORIZING|EXCHANGING|PENDING|QUEUED|RUNNING)$")

	// Keep these where all your processes find them, and end idle ones.
	users    sync.Map // By the id in the cookie.
	started  sync.Map // The proofs of sign-ins, by cookie and id; empty ones of attempts to connect, by user and id.
	events   sync.Map // The newest of each connection: events can arrive twice and out of order.
	arriving sync.Mutex
)

type page map[string]any

type event struct {
	Type string
	Data struct {
		ConnectionId string
		Sequence     int64
	}
}

type keyed struct{ http.Client }

func (client keyed) Do(request *http.Request) (*http.Response, error) {
	request.Header.Set("authorization", "Bearer "+os.Getenv("SERVICE_API_KEY"))
	return client.Client.Do(request)
}

// What the service says of an operation that failed; nothing if it did not answer. BAD_USER_INPUT comes with HTTP 400.
func reasonOf(err error) *gqlerror.Error {
	first, refused := &gqlerror.Error{}, &graphql.HTTPError{}
	if errors.As(err, &refused) {
		err = refused.Response.Errors
	}
	errors.As(err, &first)
	return first
}

type refusal struct{ error }

// A refusal ends the request, and explain answers it.
func must[T any](result T, err error) T {
	if err != nil {
		panic(refusal{err})
	}
	return result
}

func explain(response http.ResponseWriter, id string) {
	if failure := recover(); failure != nil {
		reason := reasonOf(failure.(refusal).error) // Without a code, as with HTTP 413, nobody could answer.
		show(response, 502, page{"Title": cmp.Or(reason.Extensions["code"], any("UPSTREAM_UNAVAILABLE")), "Refusal": reason, "Id": id})
	}
}

func show(response http.ResponseWriter, status int, shown page) {
	shown["Nonce"] = rand.Text()
	policy := "default-src 'none'; script-src 'nonce-%s'; form-action 'self' %v; frame-ancestors 'none'"
	response.Header().Set("content-security-policy", fmt.Sprintf(policy, shown["Nonce"], cmp.Or(shown["Forms"], any(""))))
	response.Header().Set("cache-control", "no-store")
	response.WriteHeader(status)
	layout.Execute(response, shown)
}

// Reads every 0.3 seconds, for a minute. A revoke can take three days: then tell your user to come back.
func ended[S ~string, T interface{ GetStatus() S }](read func() T) T {
	for tries := 0; ; tries++ {
		if result := read(); tries == 200 || !unfinished.MatchString(string(result.GetStatus())) {
			return result
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// A new id, which nobody else can know. `SameSite=Lax`: no other site can send our forms with this cookie.
func renew(response http.ResponseWriter) string {
	cookie := http.Cookie{Name: "session", Value: rand.Text(), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode}
	cookie.Secure = strings.HasPrefix(publicUrl, "https:")
	http.SetCookie(response, &cookie)
	return cookie.Value
}

func takeWebhook(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 65_536))
	status, arrived := http.StatusBadRequest, event{}
	if err != nil {
		status = http.StatusRequestEntityTooLarge
	}
	for _, secret := range strings.Fields(os.Getenv("WEBHOOK_SECRETS")) { // Two while you rotate.
		if must(webhooks.NewWebhook(secret)).Verify(body, request.Header) == nil && json.Unmarshal(body, &arrived) == nil {
			status = http.StatusNoContent
			arriving.Lock()
			newest, _ := events.LoadOrStore(arrived.Data.ConnectionId, arrived)
			if arrived.Data.Sequence > newest.(event).Data.Sequence {
				events.Store(arrived.Data.ConnectionId, arrived)
			}
			arriving.Unlock()
		}
	}
	response.WriteHeader(status)
}

func route(response http.ResponseWriter, request *http.Request) {
	ctx, query, returned := request.Context(), request.URL.Query(), request.URL.Query().Get("ss_session_id")
	id := append(accountPath.FindStringSubmatch(request.URL.Path), "", "")[1]
	defer explain(response, id)
	cookie := append(request.CookiesNamed("session"), &http.Cookie{})[0].Value
	signedIn, _ := users.Load(cookie)
	user, _ := signedIn.(string)
	scope := accounts.SubjectScope{TenantKey: tenant, ExternalSubjectId: user} // Never from the request.
	// Otherwise an attacker signs your user in as himself, or links his account to your user.
	proof, isOwn := started.Load(cmp.Or(user, cookie) + returned)
	now, most := time.Now(), 100
	endOfJob := func(job string) *accounts.SyncJobSyncJob {
		return ended(func() *accounts.SyncJobSyncJob { return &must(accounts.SyncJob(ctx, service, scope, id, job)).SyncJob })
	}

	switch action := request.Method + " " + accountPath.ReplaceAllString(request.URL.Path, "/accounts/{id}"); {
	case action == "POST /sign-in":
		input := accounts.IdpIdentityInput{TenantKey: tenant, ReturnUrl: publicUrl + "/sign-in/return"}
		launch := must(accounts.CreateIdpIdentitySession(ctx, service, input)).CreateIdpIdentitySession
		started.Store(renew(response)+launch.Id, launch.ResultProof)
		show(response, 200, page{"Title": "One moment", "Launch": launch, "Forms": base.FindString(launch.LaunchUrl)})
	case strings.HasSuffix(action, "/return") && !isOwn:
		show(response, 403, page{"Title": "This link is invalid"})
	case action == "GET /sign-in/return":
		result := ended(func() *accounts.RedeemIdpIdentityResultRedeemIdpIdentityResult {
			return &must(accounts.RedeemIdpIdentityResult(ctx, service, returned, tenant, proof.(string))).RedeemIdpIdentityResult
		})
		if result.Status == "COMPLETED" {
			pair := *result.Issuer + "\n" + *result.IdpSub // It names a person for ever; an e-mail address does not.
			users.Store(renew(response), fmt.Sprintf("%x", sha256.Sum256([]byte(pair))))
		}
		http.Redirect(response, request, "/", http.StatusSeeOther)
	case user == "":
		show(response, 403, page{"Title": "Not signed in", "SignIn": true})
	case action == "GET /":
		list, err := accounts.Connections(ctx, service, scope, &most, nil)
		failed := reasonOf(err).Extensions
		if failed["connectionId"] == nil { // One account that fails its check fails the list: it can be disconnected.
			must(list, err)
		}
		show(response, 200, page{"Accounts": list.Connections.Items, "Failed": failed, "Providers": accounts.AllSocialProvider})
	case action == "POST /connect":
		provider, returnUrl := accounts.SocialProvider(query.Get("at")), publicUrl+"/connect/return"
		input := accounts.ConnectInput{Scope: scope, Provider: provider, Capabilities: capabilities, ReturnUrl: returnUrl}
		if again := query.Get("again"); again != "" {
			input.ReconnectConnectionId = &again
		}
		launch := must(accounts.CreateConnectSession(ctx, service, input)).CreateConnectSession
		started.Store(user+launch.Id, "")
		show(response, 200, page{"Title": "One moment", "Launch": launch, "Forms": base.FindString(launch.LaunchUrl)})
	case action == "GET /connect/return":
		result := ended(func() *accounts.ConnectSessionResultConnectSessionResult {
			return &must(accounts.ConnectSessionResult(ctx, service, scope, returned)).ConnectSessionResult
		})
		if result.ConnectionId == nil {
			show(response, 200, page{"Title": "Not connected", "Result": result})
			return
		}
		http.Redirect(response, request, "/accounts/"+*result.ConnectionId, http.StatusSeeOther)
	case action == "GET /accounts/{id}":
		days, shown := 90, page{"Id": id}
		fmt.Sscan(query.Get("days"), &days)
		shown["Event"], _ = events.Load(id)
		found := must(accounts.Connection(ctx, service, scope, id)).Connection
		shown["Account"] = found
		if found.Status == "CONNECTED" { // Up to the start of the last scan: the service has not read what was published later.
			window := accounts.ContentWindow{PublishedBefore: *cmp.Or(found.LastSuccessfulSyncAt, &now), First: 20}
			window.PublishedAfter = window.PublishedBefore.Add(-24 * time.Hour * time.Duration(days))
			shown["Content"] = must(accounts.Content(ctx, service, scope, id, window)).Content
		}
		show(response, 200, shown)
	case action == "POST /accounts/{id}/refresh":
		window, cursor := &accounts.SyncWindow{PublishedAfter: now.Add(-90 * 24 * time.Hour), PublishedBefore: now}, (*string)(nil)
		for window != nil || cursor != nil { // A job reads at most a hundred posts, and tells where the next one continues.
			job := endOfJob(must(accounts.RequestRefresh(ctx, service, scope, id, nil, window, cursor)).RequestRefresh.Id)
			if job.Status != "SUCCEEDED" {
				show(response, 200, page{"Title": "Not refreshed", "Job": job})
				return
			}
			window, cursor = nil, job.ContinuationCursor
		}
		http.Redirect(response, request, "/accounts/"+id, http.StatusSeeOther)
	case action == "POST /accounts/{id}/disconnect":
		receipts := must(accounts.DisconnectConnection(ctx, service, scope, id)).DisconnectConnection
		show(response, 200, page{"Title": "Disconnected", "Revoke": endOfJob(receipts.RevokeJobId), "Erase": endOfJob(receipts.EraseJobId)})
	default:
		show(response, 404, page{"Title": "Not found"})
	}
}

func main() {
	http.HandleFunc("POST /webhooks", takeWebhook)
	http.HandleFunc("/", route)
	panic(http.ListenAndServe("127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8071"), nil))
}
