/** Code of the billing service that the site `fennel` documents. */
export const FENNEL: Readonly<Record<string, string>> = {
  Gemfile: 'source "https://rubygems.org"\n\ngem "rack", "3.1.0"\ngem "sequel", "5.80.0"\n',
  'config/routes.rb': `Fennel::Routes.draw do
  get    "/invoices",            to: "invoices#list"
  post   "/invoices",            to: "invoices#create"
  post   "/invoices/:id/send",   to: "invoices#send_by_mail"
  post   "/invoices/:id/remind", to: "invoices#remind"
end
`,
  'lib/fennel/invoice.rb': `module Fennel
  class Invoice
    STATUSES = %w[draft open paid void].freeze

    def initialize(number:, status: "draft")
      raise ArgumentError, "unknown status" unless STATUSES.include?(status)
      @number = number
      @status = status
    end
  end
end
`,
  'lib/fennel/webhook_call.rb': `module Fennel
  class WebhookCall
    TIMEOUT_SECONDS = 15
    RETRIES = 8

    def deliver(address, event)
      (0..RETRIES).each do |attempt|
        answer = Http.post(address, event.to_json, timeout: TIMEOUT_SECONDS)
        return answer if answer.success?
        sleep(wait_before(attempt + 1))
      end
    end
  end
end
`,
}

/** Code of the program that sends mail for the service. */
export const FENNEL_WORKER: Readonly<Record<string, string>> = {
  'lib/worker.rb': `class Worker
  def run(queue)
    queue.each do |mail|
      Log.info("sending", id: mail.id)
      Smtp.deliver(mail)
    end
  end
end
`,
}
