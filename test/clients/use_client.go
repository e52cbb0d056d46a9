// Creates, updates and lists an incident with the Go client of openapi-generator: use_client BASE_URL TOKEN
package main

import (
	"context"
	"log"
	"os"

	itsm "example.org/itsm/client"
	"golang.org/x/oauth2"
)

func main() {
	configuration := itsm.NewConfiguration()
	configuration.Servers = itsm.ServerConfigurations{{URL: os.Args[1] + "/prod/api/v1"}}
	client := itsm.NewAPIClient(configuration)
	token := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: os.Args[2]})
	ctx := context.WithValue(context.Background(), itsm.ContextOAuth2, token)

	creation := itsm.NewIncidentCreation("From Go")
	created, _, err := client.IncidentsAPI.CreateIncident(ctx).IncidentCreation(*creation).Execute()
	check(err)

	update := itsm.NewIncidentUpdate()
	update.SetState("in_progress")
	updated, _, err := client.IncidentsAPI.UpdateIncident(ctx, created.Id).IncidentUpdate(*update).Execute()
	check(err)
	if updated.State != "in_progress" {
		log.Fatal(updated.State)
	}

	page, _, err := client.IncidentsAPI.ListIncidents(ctx).State([]string{"new", "in_progress"}).CreatedAfter("2026-01-01").Limit(200).Execute()
	check(err)
	found := false
	for _, incident := range page.Data {
		found = found || incident.Id == created.Id
	}
	if !found {
		log.Fatal("The list does not have the incident.")
	}
	_, _, err = client.NotificationsAPI.ListNotifications(ctx).Unread(true).Execute()
	check(err)
	_, _, err = client.ChangesAPI.GetChangeCalendar(ctx).From("2026-11-01").To("2026-12-01").Execute()
	check(err)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
