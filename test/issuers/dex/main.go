// Command dex serves Dex's own OpenID server. A second address takes orders: another client, or another clock.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/dexidp/dex/connector"
	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/sirupsen/logrus"
)

const peopleConnector = "people"

type person struct {
	ID       string   `json:"id"`
	Username string   `json:"username"`
	Password string   `json:"password"`
	Name     string   `json:"name"`
	Email    string   `json:"email"`
	Groups   []string `json:"groups"`
}

// people signs persons in by their password, as a directory does.
type people []person

func (all people) Open(string, logrus.FieldLogger) (connector.Connector, error) { return all, nil }

func (all people) Prompt() string { return "Username" }

func (all people) Login(_ context.Context, _ connector.Scopes, username, password string) (connector.Identity, bool, error) {
	for _, one := range all {
		if one.Username == username && one.Password == password {
			identity := connector.Identity{UserID: one.ID, Username: one.Name, Email: one.Email, EmailVerified: true, Groups: one.Groups}
			return identity, true, nil
		}
	}
	return connector.Identity{}, false, nil
}

type order struct {
	Client        *storage.Client `json:"client"`
	OffsetSeconds *int64          `json:"offsetSeconds"`
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	issuer, address, control, web := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	var everybody people
	must(0, json.Unmarshal([]byte(os.Args[5]), &everybody))
	server.ConnectorsConfig[peopleConnector] = func() server.ConnectorConfig { return everybody }

	logger := logrus.New()
	store := memory.New(logger)
	must(0, store.CreateConnector(storage.Connector{ID: peopleConnector, Type: peopleConnector, Name: "People"}))
	var offset atomic.Int64
	handler := must(server.NewServer(context.Background(), server.Config{
		Issuer:             issuer,
		Storage:            store,
		SkipApprovalScreen: true,
		Web:                server.WebConfig{Dir: web},
		Logger:             logger,
		PrometheusRegistry: prometheus.NewRegistry(),
		Now:                func() time.Time { return time.Now().Add(time.Duration(offset.Load()) * time.Second) },
	}))
	go func() { log.Fatal(http.ListenAndServe(address, handler)) }()

	log.Fatal(http.ListenAndServe(control, http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		var given order
		if err := json.NewDecoder(request.Body).Decode(&given); err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		if given.Client != nil {
			if err := store.CreateClient(*given.Client); err != nil {
				http.Error(response, err.Error(), http.StatusConflict)
				return
			}
		}
		if given.OffsetSeconds != nil {
			offset.Store(*given.OffsetSeconds)
		}
	})))
}
