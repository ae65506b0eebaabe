-- Pepper of API key hashes, sealed with the current secret. Set by the first rotation of the
-- secret. Null: the pepper is derived from the secret.
ALTER TABLE "instance" ADD COLUMN "sealed_key_pepper" BYTEA;
