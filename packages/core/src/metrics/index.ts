export { Counter, Gauge, Histogram, type Registry } from 'prom-client'
export { addServiceGauges } from './add-service-gauges.ts'
export { type Metrics, openMetrics } from './open-metrics.ts'
