INSERT INTO vets (last_name) VALUES ('Carter'), ('Leary'), ('Douglas');
INSERT INTO specialties (name) VALUES ('radiology'), ('surgery'), ('dentistry');
INSERT INTO vet_specialties VALUES (2, 1), (3, 2), (3, 3);
INSERT INTO types VALUES (DEFAULT, 'cat'), (DEFAULT, 'dog');
INSERT INTO owners VALUES (DEFAULT, 'George', 'Franklin', '6085551023');
INSERT INTO owners VALUES (DEFAULT, 'Betty', 'Davis', '6085551749'), (DEFAULT, 'Harold', 'Davis', '6085553198');
INSERT INTO pets VALUES (DEFAULT, 'Leo', '2010-09-07', 1, 1);
