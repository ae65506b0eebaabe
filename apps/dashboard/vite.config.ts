import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { addThemeScript } from './build/add-theme-script.ts'
import { compressAssets } from './build/compress-assets.ts'
import { removeOldAssets } from './build/remove-old-assets.ts'

/** URL of the API during development. */
const API = 'http://localhost:8080'

export default defineConfig({
  plugins: [react(), addThemeScript(new URL('./build/theme.js', import.meta.url)), compressAssets(), removeOldAssets()],
  resolve: { conditions: ['corrigenda-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    // The content security policy forbids inline code and allows data: URLs only for images.
    assetsInlineLimit: 0,
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/dashboard/api': API, '/v1': API, '/v2': API } },
})
