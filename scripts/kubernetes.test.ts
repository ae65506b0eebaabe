import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, it } from 'vitest'
import { Settings as ApiSettings } from '../apps/api/src/http/settings.ts'
import { Settings as WorkerSettings } from '../apps/worker/src/config/settings.ts'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const folder = path.join(root, 'deploy/kubernetes')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
// The workspace root has no YAML parser and no Postgres client, so this test uses those of packages.
const { parse, parseAllDocuments } = createRequire(path.join(root, 'apps/worker/package.json'))('yaml') as {
  parse(text: string): { resources: string[] }
  parseAllDocuments(text: string): { errors: unknown[]; toJS(): Resource }[]
}
const pg = createRequire(path.join(root, 'packages/core/package.json'))('pg') as typeof import('pg')

type Labels = Record<string, string>
interface Reference {
  name: string
  key: string
  optional?: boolean
}
interface Probe {
  httpGet: { path: string; port: string }
}
interface Container {
  image: string
  args: string[]
  env: { name: string; value?: string; valueFrom?: { secretKeyRef?: Reference; configMapKeyRef?: Reference } }[]
  envFrom?: { configMapRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  securityContext: object
  resources: { requests: object; limits: object }
  volumeMounts: { name: string; mountPath: string }[]
}
interface PodSpec {
  automountServiceAccountToken: boolean
  enableServiceLinks: boolean
  terminationGracePeriodSeconds?: number
  securityContext: object
  containers: [Container]
  volumes: { name: string; emptyDir: object }[]
}
interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Labels
  spec: {
    replicas: number
    selector: Labels & { matchLabels: Labels }
    maxUnavailable?: number
    ports: { targetPort: string }[]
    template: { metadata: { labels: Labels }; spec: PodSpec }
    scaleTargetRef: { name: string }
    triggers: { type: string; metadata: { query: string }; authenticationRef: { name: string } }[]
    secretTargetRef: Reference[]
  }
}

const load = (file: string): Resource[] =>
  parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => {
    expect(document.errors, file).toEqual([])
    return document.toJS()
  })
const all = ['settings.yaml', 'migrate.yaml', 'api.yaml', 'worker.yaml', 'keda/scaler.yaml'].flatMap(load)
const get = (kind: string, name: string): Resource => {
  const found = all.filter((one) => one.kind === kind && one.metadata.name === name)
  if (found.length !== 1) throw new Error(`${found.length} resources ${kind} ${name}`)
  return found[0]!
}
const pod = (component: string): PodSpec =>
  get(component === 'migrate' ? 'Job' : 'Deployment', `corrigenda-${component}`).spec.template.spec
const container = (component: string): Container => pod(component).containers[0]

const SETTINGS: Record<string, string[]> = {
  api: Object.keys(ApiSettings.shape),
  worker: Object.keys(WorkerSettings.shape),
  migrate: ['DATABASE_URL'],
}
const COMPONENTS = Object.keys(SETTINGS)

/** Returns the names of a container's environment variables. */
const listNames = ({ env, envFrom = [] }: Container): string[] => [
  ...env.map(({ name }) => name),
  ...envFrom.flatMap(({ configMapRef }) => Object.keys(get('ConfigMap', configMapRef.name).data ?? {})),
]

it('contains exactly the expected resources, and applies every file', () => {
  expect(all.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
    'v1 ConfigMap corrigenda',
    'batch/v1 Job corrigenda-migrate',
    'apps/v1 Deployment corrigenda-api',
    'v1 Service corrigenda-api',
    'policy/v1 PodDisruptionBudget corrigenda-api',
    'apps/v1 Deployment corrigenda-worker',
    'policy/v1 PodDisruptionBudget corrigenda-worker',
    'keda.sh/v1alpha1 ScaledObject corrigenda-worker',
    'keda.sh/v1alpha1 TriggerAuthentication corrigenda-database',
  ])
  const listFiles = (dir: string) =>
    readdirSync(dir).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
  const listed = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8')).resources
  expect([...listed].sort()).toEqual(listFiles(folder).sort())
  expect(parse(readFileSync(path.join(folder, 'keda/kustomization.yaml'), 'utf8')).resources).toEqual([
    '..',
    'scaler.yaml',
  ])
})

it.each(['api', 'worker'])('selects exactly the pods of %s', (component) => {
  const { selector, template, replicas } = get('Deployment', `corrigenda-${component}`).spec
  const labels = { 'app.kubernetes.io/name': 'corrigenda', 'app.kubernetes.io/component': component }
  expect(template.metadata.labels).toEqual(labels)
  expect(selector.matchLabels).toEqual(labels)
  const budget = get('PodDisruptionBudget', `corrigenda-${component}`).spec
  expect([budget.selector.matchLabels, budget.maxUnavailable]).toEqual([labels, 1])
  expect(replicas).toBeGreaterThan(1)
})

it('routes the service to the API', () => {
  const { selector, ports } = get('Service', 'corrigenda-api').spec
  expect(selector).toEqual(get('Deployment', 'corrigenda-api').spec.template.metadata.labels)
  expect(ports.map(({ targetPort }) => targetPort)).toEqual(container('api').ports?.map(({ name }) => name))
})

it.each(COMPONENTS)('gives %s only settings that it has, and those that it requires', (component) => {
  const names = listNames(container(component))
  expect(names.filter((name) => !SETTINGS[component]!.includes(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  const required =
    component === 'migrate' ? ['DATABASE_URL'] : ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'CORRIGENDA_SECRET']
  const given = container(component).env.filter(({ valueFrom }) => valueFrom?.secretKeyRef?.optional !== true)
  expect(given.map(({ name }) => name)).toEqual(expect.arrayContaining(required))
})

it('takes secrets only from the secret, and gives each process only its own', () => {
  for (const component of COMPONENTS) {
    for (const { name, value, valueFrom } of container(component).env) {
      const { secretKeyRef, configMapKeyRef } = valueFrom ?? {}
      if (/SECRET|KEY|TOKEN|_URL$/.test(name) && name !== 'PUBLIC_URL')
        expect(secretKeyRef?.name, name).toBe('corrigenda')
      if (secretKeyRef && component !== 'migrate') expect(secretKeyRef.key).toBe(name)
      if (configMapKeyRef) expect(get('ConfigMap', configMapKeyRef.name).data).toHaveProperty(configMapKeyRef.key)
      expect([value, secretKeyRef, configMapKeyRef].filter(Boolean), name).toHaveLength(1)
    }
  }
  expect(listNames(container('api'))).not.toEqual(expect.arrayContaining(['GITHUB_TOKEN']))
  expect(listNames(container('api'))).not.toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY']))
  expect(container('migrate').env.map(({ name }) => name)).toEqual(['DATABASE_URL'])
})

it.each(['api', 'worker'])('probes the port that %s listens on', (component) => {
  const { env, ports, livenessProbe, readinessProbe, startupProbe } = container(component)
  const [port] = ports ?? []
  const setting = component === 'api' ? 'PORT' : 'HEALTH_PORT'
  expect(env.find(({ name }) => name === setting)?.value).toBe(String(port?.containerPort))
  const probes = [livenessProbe, readinessProbe, startupProbe].map((probe) => probe?.httpGet)
  expect(probes.map((probe) => probe?.port)).toEqual([port?.name, port?.name, port?.name])
  const paths = component === 'api' ? ['/healthz', '/readyz', '/healthz'] : ['/', '/', '/']
  expect(probes.map((probe) => probe?.path)).toEqual(paths)
  expect(pod(component).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
})

it.each(COMPONENTS)('restricts the privileges of %s', (component) => {
  const spec = pod(component)
  expect(spec.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  expect(read('Dockerfile')).toContain('USER 1000:1000')
  expect([spec.automountServiceAccountToken, spec.enableServiceLinks]).toEqual([false, false])
  const { securityContext, resources, volumeMounts, image, args } = container(component)
  expect(securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect([image, args]).toEqual(['corrigenda', [component]])
  expect(resources.limits).toHaveProperty('memory')
  expect(volumeMounts.map(({ name }) => name)).toEqual(spec.volumes.map(({ name }) => name))
  const writable = component === 'worker' ? ['/tmp', '/var/cache/corrigenda'] : ['/tmp']
  expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(writable)
})

it('scales the workers on the number of due runs', async () => {
  const { scaleTargetRef, triggers } = get('ScaledObject', 'corrigenda-worker').spec
  get('Deployment', scaleTargetRef.name)
  const [trigger] = triggers
  expect(trigger?.type).toBe('postgresql')
  const { secretTargetRef } = get('TriggerAuthentication', trigger!.authenticationRef.name).spec
  expect(secretTargetRef).toEqual([{ parameter: 'connection', name: 'corrigenda', key: 'DATABASE_DIRECT_URL' }])
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  const { rows } = await client.query({ text: trigger!.metadata.query, rowMode: 'array' })
  await client.end()
  expect(rows).toEqual([[expect.stringMatching(/^\d+$/)]])
})
