// Code to paste into a receiver. The libraries are those of Standard Webhooks, which verify what we send as it is.

export const SECRET_VARIABLE = 'KESTREL_WEBHOOK_SECRET'

export interface Sample {
  readonly id: string
  readonly label: string
  readonly code: string
}

export const VERIFY_SAMPLES: readonly Sample[] = [
  {
    id: 'typescript',
    label: 'TypeScript',
    code: `// npm install express standardwebhooks
import express from 'express'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.${SECRET_VARIABLE}!)
const app = express()

// The body as it came: a parsed and rewritten one has another signature.
app.post('/kestrel', express.raw({ type: 'application/json' }), (request, response) => {
  try {
    const event: any = webhook.verify(request.body, request.headers as Record<string, string>)
    console.log(event.type, event.subject.id)   // the same event may come twice: remember event.id
    response.sendStatus(204)                    // within 15 seconds; work on it afterwards
  } catch {
    response.sendStatus(400)
  }
})
app.listen(4242)`,
  },
  {
    id: 'python',
    label: 'Python',
    code: `# pip install flask standardwebhooks
import os
from flask import Flask, request
from standardwebhooks import Webhook

webhook = Webhook(os.environ["${SECRET_VARIABLE}"])
app = Flask(__name__)

@app.post("/kestrel")
def kestrel():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except Exception:
        return "", 400
    print(event["type"], event["subject"]["id"])  # the same event may come twice: remember event["id"]
    return "", 204  # within 15 seconds; work on it afterwards`,
  },
  {
    id: 'go',
    label: 'Go',
    code: `package main

import (
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("${SECRET_VARIABLE}"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/kestrel", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || webhook.Verify(body, r.Header) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		log.Printf("%s", body) // the same event may come twice: remember its id
		w.WriteHeader(http.StatusNoContent) // within 15 seconds; work on it afterwards
	})
	log.Fatal(http.ListenAndServe(":4242", nil))
}`,
  },
  {
    id: 'ruby',
    label: 'Ruby',
    code: `# gem install sinatra standardwebhooks
require "sinatra"
require "standardwebhooks"

webhook = StandardWebhooks::Webhook.new(ENV.fetch("${SECRET_VARIABLE}"))

post "/kestrel" do
  headers = %w[id timestamp signature].to_h do |name|
    ["webhook-#{name}", request.env["HTTP_WEBHOOK_#{name.upcase}"]]
  end
  begin
    event = webhook.verify(request.body.read, headers)
  rescue StandardWebhooks::WebhookVerificationError
    halt 400
  end
  puts event["type"], event["subject"]["id"] # the same event may come twice: remember event["id"]
  204 # within 15 seconds; work on it afterwards
end`,
  },
]
