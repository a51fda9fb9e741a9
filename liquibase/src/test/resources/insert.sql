INSERT INTO state (code) VALUES ('TX');
INSERT INTO state (code) VALUES ('WA');
