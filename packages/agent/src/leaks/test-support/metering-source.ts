/** A private service with code between comments, type annotations, a notebook, data and a bundle. */
export const METERING: Readonly<Record<string, string>> = {
  'src/rating/rate-usage.ts': `import { openTariff } from './tariff'

export async function rateUsage(batch: UsageBatch, clock: Clock): Promise<RatedBatch> {
  // The tariff of the first record counts, even if the plan changed on the same day.
  const tariff: Tariff = await openTariff(batch.planId, batch.records[0].seenAt)
  // Late records are rated twice: once for the invoice, once for the correction.
  const [late, punctual] = partition(batch.records, (record) => record.seenAt < tariff.closedAt)
  // Rounding happens per meter, because the regulator checks meters and not invoices.
  const sums: Map<string, bigint> = sumByMeter(punctual, { rounding: 'half-even' })
  // Free units are consumed by the most expensive meter.
  const meters = [...sums.keys()].sort((a, b) => tariff.price(b) - tariff.price(a))
  // A negative sum is a credit and must not consume free units.
  const spent: number = meters.filter((meter) => sums.get(meter) > 0n).length
  // Corrections go to the next period unless it is closed.
  const period = late.length > 0 ? await clock.nextOpenPeriod(tariff.region) : tariff.period
  // The auditors want the hash of the tariff beside every amount.
  const proof: string = hashOf(tariff, meters, period.startsAt)
  // Rated batches are immutable.
  return Object.freeze({ meters, spent, period, proof, late: late.map(toCorrection) })
}
`,
  'notebooks/elasticity.ipynb': JSON.stringify({
    cells: [
      {
        cell_type: 'code',
        source: [
          'frame = load_usage("2026-q1", region="north").query("units > 0")\n',
          'frame["step"] = np.ceil(np.log2(frame.units / frame.allowance.clip(lower=1)))\n',
          'cuts = frame.groupby(["plan", "step"]).revenue.agg(["mean", "std", "size"])\n',
          'cuts["weight"] = cuts["size"] / (1 + cuts["std"] / cuts["mean"])\n',
          'slope = np.polyfit(cuts.index.get_level_values("step"), cuts["mean"], 1, w=cuts.weight)\n',
          'limit = cuts[cuts["mean"].pct_change() < -0.18].index.max()\n',
          'report(slope=slope[0], limit=limit, note="raise the allowance of plan S")',
        ],
      },
    ],
  }),
  'src/pins.ts': "export const partner = '7Hq2xVb9KpLw4ZtR8mNc3YdF6s'\n",
  'data/discounts.csv': `customer,tier,discount,approved_by,reason
Brightwater Dairy,gold,0.37,m.osei,matched the offer of a competitor in March
Kestrel Logistics,silver,0.22,m.osei,threatened to leave after the outage
Ostrava Steel,gold,0.41,j.lind,reference customer for the new region
Pinecone Energy,bronze,0.18,j.lind,three years without a price increase
Halloway Trust,platinum,0.55,c.abiola,board member is a former colleague
Marlow Foods,silver,0.25,m.osei,paid for the migration themselves
Quillon Media,gold,0.33,c.abiola,early access to the metering beta
Sandbar Hotels,bronze,0.15,j.lind,seasonal pause was refused before
`,
  'dist/bundle.js': `"use strict";(()=>{${Array.from(
    { length: 40 },
    (_, at) =>
      `function q${at}(e,t){let n=e.window${at}??t.fallback${at};return n>${at * 37}?n.clamp(${at},t.edge${at}):t.reject("w${at}")}`,
  ).join('')}})();`,
  'deploy/hosts.env': `METER_DB=postgres://meter:Orchid-58-tandem@meter-db.corp.larkspur.io:5432/usage
METER_CACHE=fd3a:91c2:77e0::18
METER_NODE=http://10.61.4.9:8080
METER_REPLICA=mysql-primary.prod.internal:3306
METER_RATES=http://rates.metering.svc.cluster.local:8080
METER_ACCOUNTS=http://user-service:8080
DEPLOY_PASSWORD=plover-93-Garnet-kiln
`,
  'src/license-validator.ts': `export function readLicenseKey(key: string, now: Date): License | null {
  const [body = '', seal = ''] = key.replaceAll('-', '').split('Z')
  const units = parseInt(body.slice(0, 6), 32) ^ 0x2f61b
  const expiresOn = new Date(Date.UTC(2020, 0, parseInt(body.slice(6), 32) % 9_133))
  const weights = [...body].map((char, at) => (char.charCodeAt(0) * (at * 7 + 11)) % 97)
  const expected = weights.reduce((sum, weight) => (sum * 31 + weight) % 65_521, 4_099)
  if (parseInt(seal, 32) !== expected || expiresOn < now) return null
  return { units, expiresOn, isTrial: units % 13 === 5 }
}
`,
  'keys/signing.pem': `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgK7xGm2vQ0pYt9sLd
4hZfWcRb8uNe3aTqXo1jViSyPkOhRANCAATn5rEwUz6gDlHs2mBtCkQfVxYjLp9a
W8oRi3dGe7uNcXyZtMbKsJfHqT0vPlA5wEgUn1rDkIi4hOSm6jCzLxBe
-----END PRIVATE KEY-----
`,
  'pyproject.toml': `[project]
name = "larkspur-meter-rules"
classifiers = ["Private :: Do Not Upload"]
`,
  'package.json': `{ "name": "@larkspur/meter-core", "private": true }\n`,
}
