import { serveFetch } from './serve-fetch.ts'

serveFetch()
